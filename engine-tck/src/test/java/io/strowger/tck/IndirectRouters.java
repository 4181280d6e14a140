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

/** Routers that do what they must not by what they were given, inherit or ask in passing. */
final class IndirectRouters {
  private IndirectRouters() {}

  private static Selection unless(boolean never, Candidates candidates) {
    return never ? Selection.PASS : BrokenRouters.cheapest(candidates);
  }

  /** Its host gave it a clock. */
  record AsksGivenClock(Clock clock) implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return unless(clock.millis() < 0, candidates);
    }
  }

  /** Its host gave it what adapters have. */
  record AsksAmbient(Ambient ambient) implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return unless(ambient.seed() == 0, candidates);
    }
  }

  /** Its host gave it a pool. */
  record WorksOnGivenPool(Executor pool) implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      pool.execute(() -> {});
      return BrokenRouters.cheapest(candidates);
    }
  }

  /** An address that is made of a name is looked up. */
  static final class LooksUpName implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return unless(new InetSocketAddress("localhost", 1).isUnresolved(), candidates);
    }
  }

  /** A file by another name. */
  private static final class Flag extends File {
    private static final long serialVersionUID = 1;

    Flag() {
      super("/no/such/file");
    }
  }

  static final class AsksInheritedFile implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return unless(new Flag().exists(), candidates);
    }
  }

  static final class ReadsEnvironment implements RouterPlugin {
    @Override
    public Selection select(Candidates candidates) {
      return unless("none".equals(System.getenv("ROUTER")), candidates);
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
