package io.strowger.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.HealthClock.Moment;
import io.strowger.spi.ambient.Ambient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Interleaves the operations of two threads at every access to memory. What they return must be
 * what they would return one after the other, in some order.
 */
@Tag("full")
@Tag("model-check")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@Isolated("classes are instrumented while it runs")
@DisplayName("Whatever the order of two threads' steps,")
public class HealthConcurrencyTest {
  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .iterations(10)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2);
  }

  @Test
  @DisplayName("a counter counts what was added, also while a cell is reused for a later time")
  void counter() {
    options().check(CounterSteps.class);
  }

  @Test
  @DisplayName("a breaker has one probe at most, and only that one closes it")
  void breaker() {
    options().check(BreakerSteps.class);
  }

  @Test
  @DisplayName("a cool-down has the latest of its deadlines")
  void coolDown() {
    options().check(CoolDownSteps.class);
  }

  @Test
  @DisplayName("a histogram counts what two threads record, also while new half minutes begin")
  void histogram() throws InterruptedException {
    var speeds = RollingSpeeds.ofFiveMinutes(new LogLinearBuckets(10), false);
    int each = 200_000;
    Runnable recording =
        () -> {
          for (int i = 0; i < each; i++) {
            speeds.record(i / (each / 10) * 30_000_000_000L, 5_000);
          }
        };
    Thread other = Thread.ofPlatform().start(recording);
    recording.run();
    other.join();
    assertThat(speeds.measure(9 * 30_000_000_000L).samples()).isEqualTo(2 * each);
  }

  /** Adds at times that share one cell, so that each time reuses the cell of the one before. */
  @Param(name = "turn", gen = IntGen.class, conf = "0:3")
  public static class CounterSteps {
    private final RollingCount count = new RollingCount(Duration.ofNanos(1), 1);

    @Operation
    public void add(@Param(name = "turn") int turn) {
      count.add(2L * turn);
    }

    @Operation
    public long sum(@Param(name = "turn") int turn) {
      return count.sum(2L * turn, 0);
    }
  }

  /** A breaker that opens at one failure and permits a probe at once. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static class BreakerSteps {
    private static final Moment BEFORE = new Moment(0, 0);
    private static final HealthPolicy EAGER =
        new HealthPolicy(
            HealthPolicy.Outage.STANDARD,
            new HealthPolicy.Breaker(
                1,
                1000,
                Duration.ofNanos(1),
                Duration.ofNanos(4),
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofSeconds(30)),
            HealthPolicy.CoolDowns.STANDARD,
            HealthPolicy.Uptime.STANDARD,
            HealthPolicy.Exacto.STANDARD,
            Duration.ofMillis(250));

    private final HealthClock time = new HealthClock(new JumpingClock());
    private final Breaker breaker = new Breaker(EAGER);
    private final Breaker.@Nullable Pass[] passes = new Breaker.Pass[8]; // by thread

    /** Starts with an open breaker, since random steps seldom open a closed one. */
    public BreakerSteps() {
      enter(0);
      fail(0);
    }

    @Operation
    public String enter(@Param(name = "thread") int thread) {
      Breaker.Pass pass = breaker.enter(time);
      passes[thread] = pass;
      return pass == null ? "not permitted" : pass instanceof Breaker.Probe ? "probe" : "permitted";
    }

    @Operation
    public boolean succeed(@Param(name = "thread") int thread) {
      Breaker.Pass pass = passes[thread];
      passes[thread] = null;
      return pass != null && breaker.recordSuccess(pass, BEFORE);
    }

    @Operation
    public boolean fail(@Param(name = "thread") int thread) {
      Breaker.Pass pass = passes[thread];
      passes[thread] = null;
      return pass != null && breaker.recordFailure(pass, BEFORE);
    }

    @Operation
    public boolean abandon(@Param(name = "thread") int thread) {
      Breaker.Pass pass = passes[thread];
      passes[thread] = null;
      return pass != null && breaker.releaseProbe(pass);
    }
  }

  @Param(name = "deadline", gen = IntGen.class, conf = "1:4")
  public static class CoolDownSteps {
    private final CredentialCooldown credentialCooldown = new CredentialCooldown();

    @Operation
    public boolean extend(@Param(name = "deadline") int deadline) {
      return credentialCooldown.extend(new Moment(deadline, deadline), deadline - 2);
    }

    @Operation
    public long until() {
      Moment until = credentialCooldown.deadlineAfter(0);
      return until == null ? 0 : until.nanos();
    }
  }

  /** A clock that returns 0 the first time, and 1,000 nanoseconds ever after. */
  private static final class JumpingClock implements Ambient {
    private boolean hasJumped;

    @Override
    public long nanoTime() {
      if (hasJumped) {
        return 1_000;
      }
      hasJumped = true;
      return 0;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public long seed() {
      return 0;
    }

    @Override
    public void sleep(Duration duration) {
      throw new AssertionError("a breaker does not sleep");
    }

    @Override
    public Thread start(String name, Runnable task) {
      throw new AssertionError("a breaker has no threads");
    }

    @Override
    public Thread startService(String name, Runnable task) {
      throw new AssertionError("a breaker has no threads");
    }
  }
}
