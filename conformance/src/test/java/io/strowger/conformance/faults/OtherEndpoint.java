package io.strowger.conformance.faults;

/** The other endpoint that the gateway can try after the faulty one. */
enum OtherEndpoint {
  NONE,
  /** One that answers, possibly in another dialect. */
  HEALTHY,
  /** One that fails, too. */
  FAULTY
}
