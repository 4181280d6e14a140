package io.strowger.stores.ledger;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Four threads with consecutive ids. A thread is assigned a stripe of the ledger by its id, so each
 * of these threads is assigned a different one if the ledger has at least four.
 */
final class StripeThreads implements AutoCloseable {
  static final int COUNT = 4;

  private final List<ExecutorService> threads =
      Stream.generate(Executors::newSingleThreadExecutor).limit(COUNT).toList();

  /** Starts all threads at once, so that their ids are consecutive. */
  StripeThreads() {
    threads.forEach(thread -> thread.execute(() -> {}));
  }

  /**
   * Runs a task on one of the threads, waits for its end, and returns its result.
   *
   * @param index selects the thread, modulo {@link #COUNT}
   */
  <T> T run(int index, Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, threads.get(index % COUNT)).join();
  }

  @Override
  public void close() {
    threads.forEach(ExecutorService::close);
  }
}
