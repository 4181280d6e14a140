package io.strowger.core;

import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.streaming;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.config.Plugins;
import io.strowger.core.health.Statistics;
import io.strowger.core.inference.Reply;
import io.strowger.core.ledger.Payer;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A catalog that is swapped")
class HotCatalogTest {
  private static final int SWAPS = 3_000;
  private static final int ASKING = 3;
  private static final int EXPLAINING = 1;
  private static final long GLANCE = 20_000; // nanoseconds
  private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

  private final TestAmbient ambient = TestAmbient.realTime();
  private final TwoCatalogs two = new TwoCatalogs();
  private final AtomicInteger swaps = new AtomicInteger();
  private final AtomicLong served = new AtomicLong();
  private final AtomicLong servedByA = new AtomicLong();
  private final AtomicLong acrossSwaps = new AtomicLong();
  private final AtomicLong explained = new AtomicLong();
  private final AtomicLong decided = new AtomicLong();

  /** What was known of the endpoints of each board there was: is it still there? */
  private final Queue<WeakReference<Statistics>> former = new ConcurrentLinkedQueue<>();

  private Gateway gateway() {
    return Gateway.builder(two.a)
        .ambient(ambient)
        .provider(two)
        .plugins(Plugins.none().add(two).always("witness", Json.Obj.EMPTY))
        .decisions(
            decision -> {
              decided.incrementAndGet();
              two.check(decision);
            })
        .sink(this::paid)
        .build();
  }

  /** A million tokens went by the price of whoever answered; the cost tells which price it was. */
  private void paid(CallRecord record) {
    if (record.outcome() != CallRecord.Outcome.COMPLETE) {
      two.mixtures.add(record + " failed: " + record.trace());
    }
  }

  private boolean swapping() {
    return swaps.get() < SWAPS;
  }

  /** Begins, lets swaps go by, and reads to the end. */
  private void ask(Gateway gateway, Caller caller) {
    int before = swaps.get();
    Reply reply =
        gateway.inference().serve(caller, streaming(TwoCatalogs.MODEL, "x"), new Cancellation());
    if (!(reply instanceof Reply.Answered answered)) {
      two.mixtures.add("refused: " + reply);
      return;
    }
    try (Reply.MeteredAnswer begun = answered.answer()) {
      String name = "";
      for (Event e = begun.next(); e != null; e = begun.next()) {
        if (e instanceof Event.TextDelta(var text, var template) && name.isEmpty()) {
          name = text.text();
          letSwapsPass(before);
        }
      }
      long dollars = name.equals("a") ? TwoCatalogs.PRICE_A : TwoCatalogs.PRICE_B;
      var bill = begun.bill();
      two.same("bill", new Usd(dollars * 1_000_000_000), bill == null ? "none" : bill.total());
      served.incrementAndGet();
      servedByA.addAndGet(name.equals("a") ? 1 : 0);
      acrossSwaps.addAndGet(swaps.get() - before > 1 ? 1 : 0);
    }
  }

  private void letSwapsPass(int before) {
    long begun = System.nanoTime();
    while (swapping() && swaps.get() < before + 2 && System.nanoTime() - begun < PATIENCE) {
      LockSupport.parkNanos(GLANCE);
    }
  }

  private void explain(Gateway gateway) {
    Routing.Explanation explanation =
        gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), explained.get());
    two.check(explanation);
    if (explained.incrementAndGet() % 64 == 0) {
      former.add(new WeakReference<>(explanation.statistics()));
    }
  }

  private void swap(Gateway gateway) {
    while (swapping()) {
      gateway.reload(swaps.get() % 2 == 0 ? two.b : two.a);
      swaps.incrementAndGet();
    }
  }

  private static Charge held(Gateway gateway) {
    return gateway
        .ledger()
        .balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH)
        .held();
  }

  private void underSwaps(Gateway gateway) throws InterruptedException {
    Caller caller =
        gateway.authenticator().admit("Bearer sk-app-0123456789", KeyRequirement.INFERENCE);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < ASKING; i++) {
      threads.add(start(() -> whileSwapping(() -> ask(gateway, caller))));
    }
    for (int i = 0; i < EXPLAINING; i++) {
      threads.add(start(() -> whileSwapping(() -> explain(gateway))));
    }
    threads.add(start(() -> swap(gateway)));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Threads of the system's, so that none keeps the others from running. */
  private Thread start(Runnable task) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                task.run();
              } catch (RuntimeException | Error e) {
                two.mixtures.add("died of " + e);
                swaps.set(SWAPS);
              }
            });
  }

  private void whileSwapping(Runnable act) {
    while (swapping()) {
      act.run();
    }
  }

  @Tag("full")
  @Test
  @DisplayName("is seen whole by every request, kept by those under way, and leaves nothing behind")
  void whole() throws InterruptedException {
    long begun = System.nanoTime();
    try (Gateway gateway = gateway()) {
      underSwaps(gateway);
      System.err.printf(
          "%,d swaps in %.1f s under %,d requests, %,d of them across swaps, and %,d explanations;"
              + " %,d adapters made%n",
          swaps.get(),
          (System.nanoTime() - begun) / 1e9,
          served.get(),
          acrossSwaps.get(),
          explained.get(),
          two.made.get());
      assertThat(two.mixtures).isEmpty();
      assertThat(acrossSwaps.get()).as("requests that outlived a swap").isGreaterThan(SWAPS / 10);
      assertThat(servedByA.get()).as("served by a").isBetween(1L, served.get() - 1);
      assertThat(decided.get()).isEqualTo(served.get());
      gateway.reload(two.a);
      assertOthersClosed();
      assertThat(held(gateway)).isEqualTo(Charge.ZERO);
      assertForgotten(gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), 1).statistics());
    }
    assertThat(two.adaptersOpen()).isZero();
    ambient.assertNoThreadsLeft();
  }

  /** Waits, for a gateway closes what it no longer needs in the background. */
  private void assertOthersClosed() {
    long begun = System.nanoTime();
    while (two.adaptersOpen() != 2 && System.nanoTime() - begun < PATIENCE) {
      LockSupport.parkNanos(GLANCE);
    }
    assertThat(two.adaptersOpen()).as("adapters of the configuration in force").isEqualTo(2);
  }

  /** Of all the boards there were, only the one in force still has its statistics. */
  private void assertForgotten(Statistics current) {
    assertThat(former).hasSizeGreaterThan(20);
    long begun = System.nanoTime();
    while (held(current) > 0 && System.nanoTime() - begun < PATIENCE) {
      System.gc();
    }
    assertThat(held(current)).as("former statistics that something still holds").isZero();
  }

  /** Counts, for whoever had them in hand would hold them itself. */
  private long held(Statistics current) {
    return former.stream()
        .map(WeakReference::get)
        .filter(found -> found != null && found != current)
        .count();
  }

  @Test
  @DisplayName("could not be mixed with another one unseen")
  void seen() {
    try (Gateway gateway = gateway()) {
      Routing.Explanation ofA = gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), 1);
      gateway.reload(two.b);
      Routing.Explanation ofB = gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), 1);
      two.check(ofA);
      two.check(ofB);
      assertThat(two.mixtures).isEmpty();
      two.check(
          new Routing.Explanation(
              ofB.catalog(), ofA.statistics(), ofA.query(), ofA.plan(), "direct", ofA.trace()));
      assertThat(String.join("\n", two.mixtures))
          .contains("query of", "statistics of 2", "facts of", " is not of catalog");
    }
  }
}
