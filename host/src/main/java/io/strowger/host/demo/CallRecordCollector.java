package io.strowger.host.demo;

import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.TraceSink;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Collects the records of calls, in the order in which they end. */
final class CallRecordCollector implements TraceSink {
  private static final int PATIENCE_SECONDS = 5;

  private final BlockingQueue<CallRecord> ended = new LinkedBlockingQueue<>();

  @Override
  public void accept(CallRecord record) {
    ended.add(record);
  }

  /**
   * Returns the record of a request, which may arrive shortly after the answer; null when none
   * arrives within five seconds. Discards the records before it.
   */
  @Nullable CallRecord take(String id) throws InterruptedException {
    while (true) {
      CallRecord record = ended.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (record == null || record.id().equals(id)) {
        return record;
      }
    }
  }
}
