// Regions and classes for files under pseudonyms: what a person has typed may name a patient, so numbers stand in its place.
import { coreName, firstClasses, usualNaming } from '../../../app/contract'
import type { RegionClass, RegionOfInterest } from '../../../app/contract'

/** Regions are called by their class or number then, as those that never had a name; cores by their place. */
export const namelessRegions = (regions: readonly RegionOfInterest[]): RegionOfInterest[] =>
  regions.map((region) =>
    region.core
      ? { ...region, name: coreName(region.core, { rows: 0, columns: 0 }, usualNaming), core: { ...region.core, label: '' } }
      : { ...region, name: '' },
  )

/** The classes that every project begins with keep their names; all others are Class 1, Class 2 …, by their place in the list. */
export const namelessClasses = (classes: readonly RegionClass[]): RegionClass[] =>
  classes.map((each, i) => (firstClasses.some(({ name }) => name === each.name) ? each : { ...each, name: `Class ${i + 1}` }))
