// Objects that a person changes: deleting, classes, outlines, merging and splitting, and corrections that are carried over.
import { noun } from '../../app/contract'
import { formatCount } from '../arithmetic/format'

export const corrections = {
  objects: {
    /** After the name of a step. */
    undoWith: (step: string, key: string | undefined) => `${step} (${key} takes it back)`,
    deleteAllTitle: (n: number) => `Delete all ${formatCount(n)} objects?`,
    deleteAllText: (run: string, key: string | undefined) =>
      `These are all the objects of “${run}”. Undo (${key}) brings them back.`,
    ofClick: 'This object was found at the click and belongs to no result. There is nothing to delete.',
    ofUnfinished: 'This object belongs to no finished result. Segment first, then delete it there.',
    notInPoints: 'Points and lines hold no objects: choose an area.',
    chooseResult: 'Choose a finished result first: its objects are changed.',
    chooseResultToAdd: 'Choose a finished result first: objects are added to it.',
    chooseResultToSplit: 'Choose a finished result first: its objects are split.',
    selectToTakeAway: 'Select an object of a finished result first: the brush takes away from it.',
    selectOrLasso: 'Select an object of a finished result, or draw a lasso around some.',
    drawLasso: 'Draw a lasso around the objects first.',
    noneListed: 'No object is listed.',
    saved: 'Its objects are saved in the project now.',
  },
  outline: {
    mergeIntoOne: 'Merge into one',
    fillHoles: 'Fill holes',
    grow: 'Grow…',
    shrink: 'Shrink…',
  },
  amount: {
    title: (type: 'grow' | 'shrink', listed: boolean) =>
      `${type === 'shrink' ? 'Shrink' : 'Grow'} the ${listed ? 'listed' : 'selected'} objects`,
    by: (unit: string) => `By, ${unit}`,
    growNote: 'Pixels of other objects are not taken. Between two growing objects, each pixel goes to the nearer one.',
    shrinkNote: 'An object that falls apart becomes several objects. An object that would vanish stays as it is.',
    grow: 'Grow',
    shrink: 'Shrink',
  },
  /** What became of outlines that the step's name does not tell. */
  reshaped: {
    fellApart: (objects: number, parts: number) =>
      `${formatCount(objects)} fell into ${formatCount(parts)} parts, each an object`,
    wouldVanish: (n: number) =>
      `nothing would be left of ${formatCount(n)}, which ${n === 1 ? 'stays as it is' : 'stay as they are'}`,
    nothingToChange: (n: number) => `nothing to change on ${formatCount(n)}`,
    ofOthers: (area: string, objects: number) =>
      `${area} belong to ${objects === 1 ? 'another object' : 'other objects'} and were left out`,
    apart: (area: string) => `${area} are not connected with the rest and were left out`,
  },
  lasso: {
    title: 'Lasso',
    merge: 'Merge',
    mergeTip: (key: string | undefined) => `One object of all that touch each other (${key})`,
    help: (key: string) =>
      `Keys 1 to 9 give them a class, 0 removes it, Delete deletes them. ${key} splits objects along a line.`,
    chooseResult: 'Choose a finished result first.',
    chooseResultToSelect: 'Choose a finished result first: the lasso selects its objects.',
  },
  classMenu: {
    noneByHand: 'None by hand',
  },
  carry: {
    offer: (run: string, corrections: string) => `${run} has corrections: ${corrections}.`,
    from: (run: string) => `Carry them over from ${run}`,
    /** Each of these is a part of a list. */
    deleted: (n: number) => `${formatCount(n)} deleted`,
    made: (n: number) => `${formatCount(n)} made by hand`,
    byHand: (n: number) => `${formatCount(n)} with a class by hand`,
    rule: 'limits of classes',
    list: (parts: readonly string[]) =>
      parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`,
    rows: {
      deleted: 'Deleted',
      classified: 'Classified',
      already: 'Already done',
      otherwise: 'Already have a class by hand',
      outside: 'Outside this result',
      unfit: 'No longer fit',
    },
    card: 'Corrections carried over',
    cardTitle: (run: string) => `Corrections from ${run}`,
    limitsToo: 'Its limits of classes apply to this result too.',
    previous: 'Previous',
    was: { made: 'made by hand', deleted: 'deleted' },
    place: (at: number, of: number, was: string | null) => `${at} of ${formatCount(of)}: was ${was}`,
    unfitNote: 'No object of this result covers half of theirs. Their places are marked on the slide.',
    chooseResult: 'Choose a finished result first: it takes the corrections.',
    noSource: 'No earlier result of this slide at the same pixel size has corrections to take over.',
    carried: (n: number) => `${formatCount(n)} ${noun(n, 'correction')} carried over`,
    doNotFit: (n: number) => `${formatCount(n)} ${noun(n, 'does', 'do')} not fit`,
    stay: (n: number) => `${formatCount(n)} ${noun(n, 'correction stays', 'corrections stay')} on the results before`,
  },
}
