// A text of the engine's as it stands in the page: a screen reader speaks one that stayed English as English.
import { langOf } from '../words/named'

export const Said = ({ text }: { readonly text: string }) => <span lang={langOf(text)}>{text}</span>
