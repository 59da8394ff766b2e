// What the engine says of the point: kept or dropped and by which rule, what each stage shows there, and values that would keep it.
import { Button, Loader } from '@mantine/core'
import { IconCheck, IconMinus, IconPointer, IconX } from '@tabler/icons-react'
import type { Explanation, RecipeSpec, Rule } from '../../app/contract'
import { formatDuration } from '../arithmetic/format'
import { tip } from '../store/commands'
import { currentSpec } from '../store/recipeSlice'
import { useStore } from '../store/store'
import { failedRules, offerWords, ruleWords } from '../store/whySlice'
import { followPointer, leaveWhy, takeOffer } from '../store/whyActions'
import { IconButton } from '../widgets/IconButton'

function Verdict({ found, spec }: { readonly found: Explanation; readonly spec: RecipeSpec }) {
  const last = failedRules(found).at(-1)
  const words = last && ruleWords(spec, last)
  return (
    <p className={`why-verdict ${found.inside ? 'kept' : 'dropped'}`} data-testid="why-verdict">
      <b>{found.inside ? 'In an object' : 'In no object'}</b>
      {words ? `: ${words.sentence}` : ''}
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
        <IconCheck size={13} aria-label="kept:" />
      ) : mark === 'passed' ? (
        <IconMinus size={13} aria-label="did not matter:" />
      ) : (
        <IconX size={13} aria-label="dropped:" />
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
            {layer === 'labels' || layer === 'cells' || binary ? (value === 0 ? 'outside' : 'inside') : value}
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
    <section className="why steady" data-testid="why" data-busy={busy} aria-label="Why is this kept or dropped?">
      <div className="why-head">
        <b>Why?</b>
        <span className="dim grow">{busy ? <Loader size={11} /> : found ? formatDuration(found.elapsedMs) : ''}</span>
        <IconButton size={22} label="Follow the pointer" pressed={!pinned} onClick={followPointer} testId="why-follow">
          <IconPointer size={13} />
        </IconButton>
        <IconButton size={22} {...tip('cancel')} label="Close" onClick={leaveWhy} testId="why-close">
          <IconX size={13} />
        </IconButton>
      </div>
      {/* Small windows scroll it. */}
      <div className="why-body" tabIndex={0} role="group" aria-label="Answer" aria-live={pinned ? 'polite' : 'off'}>
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
            {pinned && !busy && !found.inside && found.offers.length === 0 && (
              <p className="dim">No single slider value would keep it.</p>
            )}
            <ul className="why-rules" data-testid="why-rules">
              {found.rules.map((rule, i) => (
                <RuleRow key={i} rule={rule} spec={spec} inside={found.inside} />
              ))}
            </ul>
            <Values found={found} spec={spec} />
            {!found.certain && <p className="dim">A larger object around it may change this answer.</p>}
          </>
        ) : (
          <p className="dim">{busy ? 'Looking…' : 'Point at the slide.'}</p>
        )}
      </div>
    </section>
  )
}
