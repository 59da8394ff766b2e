// Starts the renderer.
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles/colours.css'
import './styles/base.css'
import './styles/dialogs.css'
import './styles/panels.css'
import './styles/regions.css'
import './styles/why.css'
import './styles/results.css'
import './styles/runs.css'
import './styles/start.css'
import './styles/table.css'
import './styles/viewer.css'
import './styles/viewing.css'
import './styles/guide.css'
import './styles/licences.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { createRoot } from 'react-dom/client'
import { App } from './App'
import { listen } from './store/events'
import { askBeforeLeaving } from './store/engine/leaving'
import { recall, remember, rememberSlide } from './store/base/persist'
import { themeManager } from './store/base/theme'
import { cssVariables, theme } from './theme'
import { language } from './words/language'

document.documentElement.lang = language
recall()
remember()
rememberSlide()
askBeforeLeaving()
listen()

const root = document.getElementById('root')
if (!root) throw new Error('expected an element "root" in index.html')
// For the desktop's shell, which loads a page again that a script has emptied (app/desktop/keepPage.ts).
new MutationObserver((_changes, own) => {
  Object.assign(globalThis, { pageHasShown: true })
  own.disconnect()
}).observe(root, { childList: true })
createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={themeManager} defaultColorScheme="auto">
    {/* The height holds a GPU's reason and the button below it: what is higher is cut. */}
    <Notifications position="bottom-right" limit={4} containerWidth={380} notificationMaxHeight={420} zIndex={400} />
    <App />
  </MantineProvider>,
)
