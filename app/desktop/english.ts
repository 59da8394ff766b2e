// All texts of the desktop shell that a person reads: its menu beside the commands' own names (app/commands.ts), dialogs, questions, refusals.
// A translation is one more object of the type `DesktopWords`. What the shell writes to its log is not here.
export const words = {
  program: 'Morphoscope',
  menu: {
    file: '&File',
    segment: '&Segment',
    view: '&View',
    theme: 'Theme',
    language: 'Language',
    loadPage: 'Load the page again',
    edit: '&Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    delete: 'Delete',
    selectAll: 'Select all',
    fullScreen: 'Full screen',
    developerTools: 'Developer tools',
    help: '&Help',
    close: 'Close the window',
    quit: 'Quit',
    electronLicences: 'Licences of Electron and Chromium',
  },
  dialogs: {
    slides: 'Slides and images',
    zarr: 'OME-Zarr: zarr.json or .zattrs in its folder',
    allFiles: 'All files',
    recipe: 'Morphoscope recipe',
    openSlide: 'Open a slide',
    addSlides: 'Add slides',
    openRecipe: 'Open a recipe',
    saveRecipe: 'Save the recipe',
  },
  hangs: {
    title: 'The window does not answer.',
    text: 'Loading its page again ends what hangs. Results, regions and runs stay, as the engine has them; a shape that you were drawing is lost.',
    wait: 'Wait',
  },
  closing: {
    title: 'Work would be lost.',
    text: 'A run or an export goes on, or a result of more than a minute’s work was neither exported nor kept in the project. All of that ends with the window.',
    stay: 'Keep the window open',
    close: 'Close and lose it',
  },
  refusals: {
    notJustChosen: (path: string) => `expected the file that was just chosen in the dialog but received ${path}. Save it again.`,
    notGivenFile: (path: string) =>
      `expected a file that was chosen in the dialog, dropped or listed but received ${path}. Open it again.`,
    notGivenFolder: (path: string) =>
      `expected a folder that was chosen in the dialog but received ${path}. Choose it with “Choose…”.`,
    noReport: (path: string) => `Expected a report but received ${path}. Show it in its folder instead.`,
    changed: (path: string) =>
      `${path} was changed after this export wrote it, and is not opened from here. Export again, or open it in its folder.`,
    notOpened: (path: string, why: string) => `The system could not open ${path}: ${why}. Open it in a browser by hand.`,
    notWritten: (path: string) => `Expected a file that an export of this session wrote but received ${path}.`,
    gone: (path: string) => `${path} is not there any more: it was moved or deleted after the export.`,
    callFailed: (name: string) => `The call ${name} failed. This is a bug in Morphoscope.`,
  },
  noNode: (oldest: number, override: string | undefined) =>
    `On Linux the engine runs under Node ${oldest} or newer, and there is none ${override ? `at MORPHOSCOPE_NODE (${override})` : 'in PATH'}. Install Node (https://nodejs.org/), or set MORPHOSCOPE_NODE to its program, and start Morphoscope again.`,
}

export type DesktopWords = typeof words
