package io.leasehold.engine;

/**
 * The model that a request is tried with first, as things stand at this very instant: between two
 * events that does not change by itself, as a window that moves with time would.
 *
 * @param need thousandths of GPUs
 * @param allowed its limits let it in, with this model
 * @param guaranteed inside its guarantee
 */
record Choice(String model, long need, boolean allowed, boolean guaranteed) {
  static final Choice NONE = new Choice("", 0, false, false);
}
