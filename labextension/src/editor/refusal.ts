/** Why a command cannot be done: one sentence. */
export class Refusal extends Error {}
