package io.strowger.core.inference;

import static io.strowger.tck.Given.catalog;
import static io.strowger.tck.Given.endpoint;

import io.strowger.core.meter.Bill;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replies in the form the engine returns them. The request names acme/large; beta fails with status
 * 503 and alpha answers.
 */
public final class Replies {
  public static final String ID = "gen-1700000000-abc";
  public static final long CREATED = 1_700_000_000;
  public static final Usage USAGE =
      Usage.builder().freshInput(8).cacheRead(2).outputText(4).reasoning(1).build();
  public static final Bill BILL =
      new Bill(USAGE, new Usd(21_000), new Usd(10_000), new Usd(10_000));

  private static final Endpoint ALPHA = endpoint("alpha", "acme/large", "1");
  private static final Endpoint BETA = endpoint("beta", "acme/large", "2");
  private static final Catalog CATALOG = catalog(ALPHA, BETA);

  private Replies() {}

  /** Returns an answer that consists of these events and has the bill {@link #BILL}. */
  public static Reply.Answered answered(Event... events) {
    return answered(BILL, EventStream.of(List.of(events)));
  }

  public static Reply.Answered answered(@Nullable Bill bill, EventStream events) {
    return new Reply.Answered(
        ID,
        CREATED,
        new Reply.MeteredAnswer() {
          @Override
          public @Nullable Event next() {
            return events.next();
          }

          @Override
          public boolean ready() {
            return events.ready();
          }

          @Override
          public @Nullable Bill bill() {
            return bill;
          }

          @Override
          public void close() {
            events.close();
          }
        },
        () -> delivery("acme/large", ALPHA, 2));
  }

  public static Reply.Refused refused(GatewayError error) {
    return new Reply.Refused(ID, 1795262400, error, delivery("acme/large", null, 0));
  }

  /**
   * Returns the state of a request for this model that this endpoint answered; null when none did.
   */
  public static DeliveryState delivery(String requested, @Nullable Endpoint endpoint, int attempt) {
    var plan =
        new RoutePlan.Attempts(
            List.of(PlannedAttempt.of(BETA), PlannedAttempt.of(ALPHA)),
            () ->
                List.of(
                    new TraceEntry.Excluded("acme/large@gamma", "provider.ignore", "ignored"),
                    new TraceEntry.Ranked("acme/large@beta", null, 0, "price", 1)));
    return new DeliveryState(
        List.of(ModelRef.parse(requested)),
        CATALOG,
        plan,
        List.of(
            new TraceEntry.Attempted("acme/large@beta", null, 503, FailureKind.OVERLOADED, 1),
            new TraceEntry.Attempted("acme/large@alpha", null, 200, null, 1)),
        endpoint == null ? null : PlannedAttempt.of(endpoint),
        attempt,
        12_000_000);
  }

  public static Endpoint alpha() {
    return ALPHA;
  }
}
