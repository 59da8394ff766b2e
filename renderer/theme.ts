// Colours and sizes: a dark, dense instrument panel, neutral enough not to tint how a stain looks.
import { ActionIcon, Button, createTheme, Modal, Select, Tooltip, type MantineColorsTuple } from '@mantine/core'

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
  colors: { dark, teal },
  primaryColor: 'teal',
  primaryShade: { dark: 5, light: 6 },
  autoContrast: true,
  // Where black and white stand out alike: sqrt(1.05 × 0.05) − 0.05.
  luminanceThreshold: 0.179,
  fontFamily: sans,
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  defaultRadius: 5,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 28, variant: 'subtle', color: 'gray' } }),
    Tooltip: Tooltip.extend({
      defaultProps: {
        openDelay: 350,
        multiline: true,
        maw: 280,
        withArrow: true,
        events: { hover: true, focus: true, touch: false },
        transitionProps: { duration: 80 },
      },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        // No blur: without a GPU it is computed anew with every frame.
        overlayProps: { backgroundOpacity: 0.6 },
        transitionProps: { duration: 120 },
      },
    }),
    Select: Select.extend({ defaultProps: { size: 'xs', allowDeselect: false, checkIconPosition: 'right' } }),
  },
})
