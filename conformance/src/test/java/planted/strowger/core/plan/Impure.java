package planted.strowger.core.plan;

import io.strowger.spi.ambient.Ambient;
import java.util.concurrent.locks.ReentrantLock;

/** Planning that waits and reads a clock. */
final class Impure {
  private final ReentrantLock lock = new ReentrantLock();

  long decide(Ambient ambient) {
    lock.lock();
    try {
      return ambient.nanoTime();
    } finally {
      lock.unlock();
    }
  }
}
