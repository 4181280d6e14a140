package io.strowger.core.routing;

/**
 * Which service tier a request asks for. Contract: "Chat request body", {@code service_tier};
 * routing fact sheet, section 9. {@code fast} is {@code PRIORITY}, {@code auto} is {@code UNSET},
 * and so is {@code scale}, which has no endpoints of its own.
 */
public enum ServiceTier {
  /** No tier is requested. */
  UNSET,
  /** The default tier, whatever a variant of the model's name would admit. */
  DEFAULT,
  /** Endpoints of the priority tier first, then those of the default tier. */
  PRIORITY,
  /** Only endpoints of the flex tier, where there are any. */
  FLEX
}
