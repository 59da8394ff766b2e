// What the German texts of a recipe hold: the same places as its file in assets/recipes.

/** Of a parameter: `zero` says what 0 means, `choices` has a label for each value that can be chosen. */
export interface GermanParam {
  readonly label: string
  readonly help: string
  readonly zero?: string
  readonly choices?: Readonly<Record<string, string>>
}

export interface GermanStage {
  readonly label: string
  readonly help: string
  /** By the parameter's key. */
  readonly params: Readonly<Record<string, GermanParam>>
}

export interface GermanRecipe {
  readonly name: string
  readonly description: string
  /** By the stage's id. */
  readonly stages: Readonly<Record<string, GermanStage>>
  /** By the layer's id. */
  readonly layers: Readonly<Record<string, string>>
}
