package io.strowger.host.show;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;

/** A small catalog and decisions over it. */
final class Decisions {
  static final Endpoint ALPHA = endpoint("alpha", "alpha/fp16", 1, 2);
  static final Endpoint BETA = endpoint("beta", "beta", 3, 15);
  static final Catalog CATALOG =
      Catalog.builder("v1")
          .add(ModelInfo.builder("acme/large").build(), List.of(ALPHA, BETA))
          .build();

  private Decisions() {}

  /** Beta was dropped, alpha is tried and fails. */
  static Decision attempted() {
    return new Decision(
        CATALOG,
        7,
        Decision.DIRECT,
        List.of(new Candidate(ALPHA, 0, "k1", false)),
        null,
        List.of(
            new TraceEntry.Excluded(BETA.id(), "provider.ignore", "ignored"),
            new TraceEntry.Narrowed("acme/large", "soft", 1, 2),
            new TraceEntry.Ranked(ALPHA.id(), null, 0, "price", ALPHA.blendedPrice()),
            new TraceEntry.Attempted(ALPHA.id(), null, 500, FailureKind.UNAVAILABLE, 12_345_678),
            new TraceEntry.Note("engine", "output_capped_by_budget")));
  }

  /** Both were dropped. */
  static Decision impossible() {
    return new Decision(
        CATALOG,
        7,
        Decision.DIRECT,
        List.of(),
        GatewayError.of(ErrorCode.CONSTRAINT_FILTERED, "nobody is left"),
        List.of(
            new TraceEntry.Excluded(ALPHA.id(), "provider.only", "not listed"),
            new TraceEntry.Excluded(BETA.id(), "provider.only", "not listed")));
  }

  private static Endpoint endpoint(String slug, String tag, long promptMicros, long outMicros) {
    return Endpoint.builder("acme/large", new ProviderInfo(slug, slug, true, true, null, false))
        .tag(tag)
        .pricing(
            Pricing.builder()
                .set(Price.PROMPT, new UnitPrice(promptMicros * 1_000_000))
                .set(Price.COMPLETION, new UnitPrice(outMicros * 1_000_000))
                .build())
        .build();
  }
}
