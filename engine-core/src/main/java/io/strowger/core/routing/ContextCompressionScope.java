package io.strowger.core.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.plugin.Descriptor;

/** Which prompts are compressed to fit the chosen endpoint. Plugins fact sheet, section 9. */
public enum ContextCompressionScope {
  /** None: the gateway has no plugin for it. */
  UNAVAILABLE,
  /** None: it was switched off. */
  OFF,
  /** Prompts for endpoints of a small context, the default. */
  SMALL_CONTEXTS,
  /** All prompts. */
  ALL;

  /** Returns whether prompts for this endpoint are compressed; never if it only writes images. */
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
