// The cards of the tools in hand. They stand at the top of the results' panel, where they cover no slide; over the slide where that panel is closed.
import { BrushCard } from './BrushCard'
import { CarryCard } from './CarryCard'
import { ChannelsCard } from './ChannelsCard'
import { CompareCard } from './CompareCard'
import { LassoCard } from './LassoCard'
import { PointsCard } from './PointsCard'
import { WandCard } from './WandCard'
import { WhyCard } from './WhyCard'

interface Props {
  readonly place: 'panel' | 'slide'
}

export function ToolCards({ place }: Props) {
  return (
    <div className={`tool-cards in-${place}`} data-testid="tool-cards" data-place={place}>
      <ChannelsCard />
      <WhyCard />
      <CompareCard />
      <WandCard />
      <BrushCard />
      <LassoCard />
      <PointsCard />
      <CarryCard />
    </div>
  )
}
