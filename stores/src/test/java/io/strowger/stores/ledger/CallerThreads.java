package io.strowger.stores.ledger;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Threads that spend one after the other, so that each does it under a stripe of its own. */
final class CallerThreads implements AutoCloseable {
  static final int MANY = 4;

  private final List<ExecutorService> threads =
      Stream.generate(Executors::newSingleThreadExecutor).limit(MANY).toList();

  /** They begin at once, so that their numbers follow each other. */
  CallerThreads() {
    threads.forEach(thread -> thread.execute(() -> {}));
  }

  /** Asks on one of them, and waits for the answer. */
  <T> T ask(int which, Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, threads.get(which % MANY)).join();
  }

  @Override
  public void close() {
    threads.forEach(ExecutorService::close);
  }
}
