// A spot of colour with its name: as a tip, and read out where no words beside it say the same.

interface Props {
  readonly colour: string
  readonly name: string
  /** The name stands beside it: it is not read twice. */
  readonly isSaid?: boolean
  readonly className?: string
}

export function Swatch({ colour, name, isSaid = false, className = 'class-mark' }: Props) {
  const heard = isSaid ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name }
  return <i className={className} style={{ background: colour }} title={name} {...heard} />
}
