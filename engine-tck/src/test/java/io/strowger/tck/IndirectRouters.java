package io.strowger.tck;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.io.File;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** Routers that break the contract through objects they were given, inherited methods, or waits. */
final class IndirectRouters {
  private IndirectRouters() {}

  private static Selection cheapestUnless(boolean condition, Candidates candidates) {
    return condition ? Selection.PASS : BrokenRouters.cheapest(candidates);
  }

  /** Reads a clock that it was given. */
  record ReadsGivenClock(Clock clock) implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return cheapestUnless(clock.millis() < 0, candidates);
    }
  }

  /** Uses an ambient that it was given, as adapters have it. */
  record UsesGivenAmbient(Ambient ambient) implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return cheapestUnless(ambient.seed() == 0, candidates);
    }
  }

  /** Uses an executor that it was given. */
  record WorksOnGivenPool(Executor pool) implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      pool.execute(() -> {});
      return BrokenRouters.cheapest(candidates);
    }
  }

  /** Makes an address from a host name, which looks the name up. */
  static final class LooksUpName implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return cheapestUnless(new InetSocketAddress("localhost", 1).isUnresolved(), candidates);
    }
  }

  /** A subclass of File, whose inherited methods use files. */
  private static final class Flag extends File {
    private static final long serialVersionUID = 1;

    Flag() {
      super("/no/such/file");
    }
  }

  static final class UsesInheritedFile implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return cheapestUnless(new Flag().exists(), candidates);
    }
  }

  static final class ReadsEnvironment implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return cheapestUnless("none".equals(System.getenv("ROUTER")), candidates);
    }
  }

  static final class Parks implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      LockSupport.parkNanos(1);
      return BrokenRouters.cheapest(candidates);
    }
  }

  static final class WaitsForLock implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      synchronized (this) {
        try {
          Objects.requireNonNull(candidates).wait(1);
        } catch (InterruptedException | IllegalMonitorStateException e) {
          return Selection.PASS;
        }
      }
      return BrokenRouters.cheapest(candidates);
    }
  }
}
