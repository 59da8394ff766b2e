// What the engine says of the point: kept or dropped and by which rule, what each stage shows there, and values that would keep it.
import { Button, Loader } from '@mantine/core'
import { IconCheck, IconMinus, IconPointer, IconX } from '@tabler/icons-react'
import type { Explanation, RecipeSpec, Rule } from '../../app/contract'
import { formatDuration } from '../arithmetic/format'
import { currentSpec } from '../store/slices/recipeSlice'
import { useStore } from '../store/store'
import { failedRules, offerWords, ruleWords } from '../store/slices/whySlice'
import { followPointer, leaveWhy, takeOffer } from '../store/recipe/whyActions'
import { IconButton } from '../widgets/IconButton'
import { words } from '../words'
import { ToolCard } from './ToolCard'

function Verdict({ found, spec }: { readonly found: Explanation; readonly spec: RecipeSpec }) {
  const last = failedRules(found).at(-1)
  const decided = last && ruleWords(spec, last)
  return (
    <p className={`why-verdict ${found.inside ? 'kept' : 'dropped'}`} data-testid="why-verdict">
      <b>{found.inside ? words.why.inObject : words.why.inNoObject}</b>
      {decided ? words.why.because(decided.sentence) : ''}
    </p>
  )
}

function RuleRow({ rule, spec, inside }: { readonly rule: Rule; readonly spec: RecipeSpec; readonly inside: boolean }) {
  const { label, said } = ruleWords(spec, rule)
  // What a later step put back did not decide.
  const mark = rule.kept ? 'kept' : inside ? 'passed' : 'dropped'
  return (
    <li className={mark}>
      {mark === 'kept' ? (
        <IconCheck size={13} aria-label={words.why.kept} />
      ) : mark === 'passed' ? (
        <IconMinus size={13} aria-label={words.why.passed} />
      ) : (
        <IconX size={13} aria-label={words.why.dropped} />
      )}
      <span>{label}</span>
      <span className="num">{said}</span>
    </li>
  )
}

function Values({ found, spec }: { readonly found: Explanation; readonly spec: RecipeSpec }) {
  return (
    <dl className="why-values">
      {found.values.map(({ layer, value, binary }) => (
        <div key={layer}>
          <dt>{spec.layers.find(({ id }) => id === layer)?.label ?? layer}</dt>
          <dd className="num">
            {layer === 'labels' || layer === 'cells' || binary ? (value === 0 ? words.why.outside : words.why.inside) : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function WhyCard() {
  const { on, pinned, found, busy } = useStore((state) => state.why)
  const spec = useStore((state) => currentSpec(state.recipe))
  if (!on || !spec) return null
  return (
    <ToolCard
      id="why"
      title={words.buttons.why}
      label={words.why.card}
      note={busy ? <Loader size={11} /> : found ? formatDuration(found.elapsedMs) : ''}
      buttons={
        <IconButton size={22} label={words.why.follow} pressed={!pinned} onClick={followPointer} testId="why-follow">
          <IconPointer size={13} />
        </IconButton>
      }
      looks="steady"
      isBusy={busy}
      // Small windows scroll it.
      body={{ tabIndex: 0, role: 'group', 'aria-label': words.why.answer, 'aria-live': pinned ? 'polite' : 'off' }}
      onClose={leaveWhy}
    >
      {found ? (
        <>
          <Verdict found={found} spec={spec} />
          {found.offers.map((offer) => (
            <Button
              key={offerWords(spec, offer)}
              size="compact-xs"
              variant="light"
              fullWidth
              onClick={() => takeOffer(offer)}
              data-testid="why-offer"
            >
              {offerWords(spec, offer)}
            </Button>
          ))}
          {pinned && !busy && !found.inside && found.offers.length === 0 && <p className="dim">{words.why.noSingleValue}</p>}
          <ul className="why-rules" data-testid="why-rules">
            {found.rules.map((rule, i) => (
              <RuleRow key={i} rule={rule} spec={spec} inside={found.inside} />
            ))}
          </ul>
          <Values found={found} spec={spec} />
          {!found.certain && <p className="dim">{found.unread ? words.why.unread : words.why.largerAround}</p>}
        </>
      ) : (
        <p className="dim">{busy ? words.states.looking : words.states.pointAtSlide}</p>
      )}
    </ToolCard>
  )
}
