package io.strowger.stores.ledger;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Threads that make calls one after the other, so that each uses a stripe of its own. */
final class CallerThreads implements AutoCloseable {
  static final int COUNT = 4;

  private final List<ExecutorService> threads =
      Stream.generate(Executors::newSingleThreadExecutor).limit(COUNT).toList();

  /** Starts the threads together, so that their ids follow each other. */
  CallerThreads() {
    threads.forEach(thread -> thread.execute(() -> {}));
  }

  /** Makes a call on one of the threads, and returns its result. */
  <T> T call(int caller, Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, threads.get(caller % COUNT)).join();
  }

  @Override
  public void close() {
    threads.forEach(ExecutorService::close);
  }
}
