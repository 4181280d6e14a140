package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.plugin.Descriptor;

/** Which prompts are made to fit the endpoint that is chosen. Plugins fact sheet, section 9. */
public enum ContextCompressionScope {
  /** None: the gateway has no plugin for it. */
  UNAVAILABLE,
  /** None: it was switched off. */
  OFF,
  /** Those for endpoints of a small context, as nobody said otherwise. */
  SMALL_CONTEXTS,
  /** All. */
  ALL;

  /** Whether prompts for this endpoint are made to fit; one that only draws pictures takes none. */
  public boolean covers(Endpoint endpoint) {
    boolean covered =
        switch (this) {
          case UNAVAILABLE, OFF -> false;
          case SMALL_CONTEXTS -> endpoint.contextLength() <= Descriptor.SMALL_CONTEXT;
          case ALL -> true;
        };
    return covered
        && endpoint.contextLength() > 0
        && endpoint.outputModalities() != Modality.IMAGE.bit();
  }
}
