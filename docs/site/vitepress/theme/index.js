// The generator's own theme with the system's fonts and the window's colours: nothing of it is fetched from elsewhere.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
