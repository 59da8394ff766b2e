// Colours and sizes of the library's controls: a dense instrument panel, neutral enough not to tint how a stain looks. styles/colours.css has the window's own.
import {
  ActionIcon,
  Button,
  Checkbox,
  createTheme,
  Modal,
  Select,
  Tooltip,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import { words } from './words'

const dark: MantineColorsTuple = [
  '#dfe4ea',
  '#b6bec8',
  '#8f99a5',
  '#6b7581',
  '#343b44',
  '#2a3038',
  '#20252b',
  '#191d22',
  '#14171b',
  '#0e1013',
]
const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f5',
  '#e6e9ed',
  '#d5d9df',
  '#b3bac3',
  '#7d8793',
  '#5a6470',
  '#4a535e',
  '#343c45',
  '#1d232a',
]
const teal: MantineColorsTuple = [
  '#e2fbf5',
  '#c6f3e8',
  '#97e9d6',
  '#66dcc2',
  '#3ecfb2',
  '#2bbda0',
  '#1fa389',
  '#178571',
  '#12695a',
  '#0c4c42',
]

const sans = 'Inter, "Segoe UI", "SF Pro Text", system-ui, Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif'

export const theme = createTheme({
  colors: { dark, gray, teal },
  primaryColor: 'teal',
  primaryShade: { dark: 5, light: 8 },
  fontFamily: sans,
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  defaultRadius: 5,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      vars: (_theme, { variant }) => ({
        root: variant === undefined || variant === 'filled' ? { '--button-color': 'var(--on-filled)' } : {},
      }),
    }),
    Checkbox: Checkbox.extend({ vars: () => ({ root: { '--checkbox-icon-color': 'var(--on-filled)' } }) }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 28, variant: 'subtle', color: 'gray' } }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        multiline: true,
        maw: 280,
        withArrow: true,
        transitionProps: { duration: 80 },
      },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        // Of the dialog, not of the page: there is one banner.
        attributes: { header: { role: 'presentation' } },
        closeButtonProps: { 'aria-label': words.buttons.close },
        // No blur: without a GPU it is computed anew with every frame.
        overlayProps: { backgroundOpacity: 0.6 },
        transitionProps: { duration: 120 },
      },
    }),
    Select: Select.extend({ defaultProps: { size: 'xs', allowDeselect: false, checkIconPosition: 'right' } }),
  },
})

/**
 * Words on what is filled are black or white by what stands out more, which the library decides for one scheme alone; and its own light
 * scheme has words that axe finds too faint.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: { '--on-filled': '#000' },
  light: {
    '--on-filled': '#fff',
    '--mantine-color-text': '#1d232a',
    '--mantine-color-dimmed': '#4a535e',
    '--mantine-color-placeholder': '#5a6470',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-red-light-color': '#8f1d16',
    '--mantine-color-yellow-light-color': '#6b4500',
  },
})
