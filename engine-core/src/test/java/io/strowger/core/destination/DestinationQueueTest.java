package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.RecordedLog;
import io.strowger.core.ambient.ForwardingAmbient;
import io.strowger.core.ambient.SecureBytes;
import io.strowger.core.config.SecretKey;
import io.strowger.core.secret.SecretCipher;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Calls that wait for a destination")
class DestinationQueueTest {
  private static final String START = "2026-11-21T12:00:00Z";
  private static final String THREAD = "destination-delivery";
  private static final Duration GATHERING = Duration.ofMillis(100);

  /** The number of waiting calls from which a queue is delivered without gathering more. */
  private static final int EARLY_DELIVERY = WaitingCalls.MAX_CALLS / 4 + 1;

  private final TestAmbient time = TestAmbient.at(START);
  private final AtomicInteger sleeps = new AtomicInteger(); // of the delivering thread
  private final ScriptedTransport transport = new ScriptedTransport();
  private DestinationQueue queue = queue(GATHERING);
  private int offered;

  /** An ambient that counts how often the delivering thread goes to sleep. */
  private final class CountingAmbient extends ForwardingAmbient {
    CountingAmbient() {
      super(time);
    }

    @Override
    public void sleep(Duration length) throws InterruptedException {
      if (Thread.currentThread().getName().equals(THREAD)) {
        sleeps.incrementAndGet();
      }
      super.sleep(length);
    }
  }

  @AfterEach
  void noThreads() {
    queue.close();
    queue.awaitEnd(null);
    time.assertNoThreadsLeft();
    assertThat(counts().queued()).isZero();
    assertThat(counts().queuedBytes()).isZero();
  }

  /** Returns a queue that delivers all calls of a batch in one request. */
  private DestinationQueue queue(Duration gathering) {
    return queue(gathering, "q");
  }

  private DestinationQueue queue(Duration gathering, String name) {
    var ambient = new CountingAmbient();
    var created =
        new DestinationQueue(
            "q", name, new DestinationSender(transport, ambient), ambient, gathering, null);
    created.setExporter(
        new PlainExporters()
            .create("webhook", Json.object().put("url", "http://batch.test").build()));
    return created;
  }

  private void offer(int calls) {
    offer(calls, 1_000);
  }

  private void offer(int calls, long bytes) {
    for (int i = 0; i < calls; i++) {
      queue.offer(new QueuedCall(SampleTraces.bare("c" + offered++, time.now()), null, bytes));
    }
  }

  private DestinationCounts counts() {
    return queue.counts("webhook", "w");
  }

  private void awaitDelivered(int calls) {
    while (counts().delivered() < calls) {
      Thread.onSpinWait();
    }
  }

  /** Returns the number of calls in the next request. */
  private int nextSize() throws InterruptedException {
    return Objects.requireNonNull(transport.nextBody().list("calls")).size();
  }

  /** Delivers one call at once, so that the following calls gather. */
  private void deliverFirst() throws InterruptedException {
    offer(1);
    assertThat(nextSize()).isEqualTo(1);
    awaitGathering();
    assertThat(counts().delivered()).isEqualTo(1);
  }

  /** Waits until the delivering thread sleeps. */
  private void awaitGathering() {
    time.awaitSleep(THREAD);
  }

  /** Waits until all threads wait for time to pass or are parked. */
  private void awaitAllWait() {
    while (!time.allIdle()) {
      Thread.onSpinWait();
    }
  }

  /** Waits until no thread waits for time to pass and all threads are parked. */
  private void awaitParked() {
    while (time.sleepers() > 0 || !time.allIdle()) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("are delivered at once after a time without calls")
  void first() throws InterruptedException {
    deliverFirst();
    time.advance(GATHERING);
    awaitParked();
    offer(1);
    assertThat(nextSize()).isEqualTo(1);
    awaitGathering();
    assertThat(time.now()).isEqualTo(Instant.parse(START).plus(GATHERING));
  }

  @Test
  @DisplayName("wake no thread while they gather, and are delivered together after that")
  void gathered() throws InterruptedException {
    deliverFirst();
    assertThat(sleeps).hasValue(1);
    time.advance(GATHERING.minusNanos(1));
    offer(50);
    awaitAllWait();
    assertThat(sleeps).hasValue(1);
    assertThat(counts().queued()).isEqualTo(50);
    assertThat(transport.remainingRequests()).isEmpty();
    time.advance(Duration.ofNanos(1));
    assertThat(nextSize()).isEqualTo(50);
    awaitDelivered(51);
    awaitGathering();
    assertThat(sleeps).hasValue(2);
  }

  @Test
  @DisplayName("are sent in full batches if there are many; the rest is sent with the next calls")
  void batches() throws InterruptedException {
    deliverFirst();
    offer(250);
    time.advance(GATHERING);
    awaitDelivered(201);
    awaitGathering();
    assertThat(List.of(nextSize(), nextSize())).containsExactly(100, 100);
    offer(10);
    assertThat(counts().queued()).isEqualTo(60);
    time.advance(GATHERING);
    assertThat(nextSize()).isEqualTo(60);
    awaitDelivered(261);
  }

  @Test
  @DisplayName("stop gathering if they fill more than a quarter of the queue")
  void quarterOfCalls() {
    offer(1);
    awaitGathering();
    offer(EARLY_DELIVERY - 1);
    awaitAllWait();
    assertThat(counts().queued()).isEqualTo(EARLY_DELIVERY - 1);
    offer(1);
    awaitDelivered(1 + EARLY_DELIVERY - EARLY_DELIVERY % 100);
    awaitGathering();
    assertThat(time.now()).isEqualTo(START);
    assertThat(counts().droppedFull()).isZero();
  }

  @Test
  @DisplayName("stop gathering if they take more than a quarter of the queue's bytes")
  void quarterOfBytes() {
    offer(1);
    awaitGathering();
    long thirdOfQuarter = WaitingCalls.MAX_BYTES / 12;
    offer(3, thirdOfQuarter);
    awaitAllWait();
    assertThat(counts().queued()).isEqualTo(3);
    offer(1, thirdOfQuarter);
    awaitDelivered(5);
    assertThat(time.now()).isEqualTo(START);
  }

  @Test
  @DisplayName("are delivered at once if the gateway closes while they gather")
  void closed() throws InterruptedException {
    deliverFirst();
    offer(20);
    queue.close();
    queue.awaitEnd(null);
    assertThat(nextSize()).isEqualTo(20);
    assertThat(counts().delivered()).isEqualTo(21);
    assertThat(counts().droppedFailed()).isZero();
    assertThat(time.now()).isEqualTo(START);
  }

  @Test
  @DisplayName("are dropped and counted at once if their destination is deleted")
  void discarded() throws InterruptedException {
    deliverFirst();
    offer(20);
    queue.discard();
    queue.awaitEnd(null);
    assertThat(transport.remainingRequests()).isEmpty();
    assertThat(counts().droppedFailed()).isEqualTo(20);
  }

  @Test
  @DisplayName("are delivered by the exporter that is configured when they are sent")
  void replacedExporter() throws InterruptedException {
    deliverFirst();
    offer(1);
    queue.setExporter(
        new PlainExporters()
            .create("webhook", Json.object().put("url", "http://other.test").build()));
    time.advance(GATHERING);
    assertThat(transport.nextRequest().uri().getHost()).isEqualTo("other.test");
    awaitDelivered(2);
  }

  @Test
  @DisplayName("do not shorten the pause of a destination that failed, even if there are many")
  void failing() throws InterruptedException {
    transport.then(503, "Retry-After", "60");
    offer(1);
    assertThat(nextSize()).isEqualTo(1);
    time.awaitSleep(THREAD);
    offer(EARLY_DELIVERY + 100);
    awaitAllWait();
    assertThat(transport.remainingRequests()).isEmpty();
    time.advance(Duration.ofSeconds(60));
    awaitDelivered(600);
    assertThat(counts().failures()).isEqualTo(1);
  }

  /** Sends one call, and waits until it is delivered or refused. */
  private void sendOne() {
    long before = counts().delivered() + counts().droppedRefused();
    offer(1);
    while (counts().delivered() + counts().droppedRefused() == before) {
      Thread.onSpinWait();
    }
    awaitParked();
  }

  @Test
  @DisplayName("are lost if they are refused permanently, which is logged once until that changes")
  void logged() {
    queue = queue(Duration.ZERO, "logged-queue");
    try (RecordedLog.Recording log = RecordedLog.record()) {
      transport.then(401).then(403);
      sendOne();
      sendOne();
      assertThat(log.linesWith("logged-queue"))
          .extracting(RecordedLog.Line::text)
          .containsExactly("destination logged-queue refuses calls; they are lost: answered 401");
      assertThat(counts().droppedRefused()).isEqualTo(2);
      assertThat(counts().failing()).isTrue();

      transport.then(503).then(503).then(401).then(200).then(400);
      offer(1);
      time.awaitSleep(THREAD);
      time.advance(Duration.ofSeconds(1));
      time.awaitSleep(THREAD);
      time.advance(Duration.ofSeconds(2));
      awaitParked();
      sendOne();
      assertThat(counts().failing()).isFalse();
      sendOne();
      assertThat(log.linesWith("logged-queue"))
          .extracting(RecordedLog.Line::text)
          .containsExactly(
              "destination logged-queue refuses calls; they are lost: answered 401",
              "destination logged-queue does not accept calls; they are queued and sent again"
                  + " later: answered 503",
              "destination logged-queue refuses calls; they are lost: answered 401",
              "destination logged-queue refuses calls; they are lost: answered 400");
    }
  }

  @Test
  @DisplayName("do not gather if the gathering time is zero")
  void immediately() throws InterruptedException {
    queue = queue(Duration.ZERO);
    for (int i = 1; i <= 3; i++) {
      offer(1);
      assertThat(nextSize()).isEqualTo(1);
      awaitDelivered(i);
      awaitParked();
    }
    assertThat(sleeps).hasValue(0);
  }

  @Test
  @DisplayName("are all delivered, also those that arrive while the thread goes to sleep")
  void races() {
    for (int i = 1; i <= 2_000; i++) {
      offer(1);
      if (i % 7 == 0) {
        time.advance(GATHERING);
      }
    }
    while (counts().delivered() < 2_000) {
      time.advance(GATHERING);
      Thread.onSpinWait();
    }
    assertThat(counts().droppedFull()).isZero();
  }

  @Test
  @DisplayName("are not sent while the destination asks to wait, also the rest of the same batch")
  void leftAlone() throws InterruptedException {
    queue.setExporter(
        new PlainExporters()
            .create("webhook", Json.object().put("url", "http://single.test").build()));
    offer(1);
    transport.nextBody();
    awaitGathering();
    transport.then(503, "Retry-After", "1000");
    offer(3);
    time.advance(GATHERING);
    awaitGathering();
    assertThat(transport.remainingRequests()).hasSize(1);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    assertThat(counts().queued()).isEqualTo(2);
    time.advance(Duration.ofSeconds(1000));
    awaitGathering();
    time.advance(GATHERING);
    awaitDelivered(3);
    assertThat(counts().failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("are sent again after a pause that has grown with earlier failures")
  void backoff() throws InterruptedException {
    queue = queue(Duration.ZERO);
    for (int i = 0; i < 40; i++) {
      transport.then(500);
    }
    offer(1);
    awaitAllWait();
    while (counts().droppedFailed() == 0) { // dropped after five minutes
      time.advance(Duration.ofSeconds(30));
      awaitAllWait();
    }
    long failures = counts().failures();
    assertThat(failures).isLessThan(40);
    offer(1);
    while (counts().failures() == failures) { // until the delivering thread has sent it
      Thread.onSpinWait();
    }
    awaitAllWait();
    time.advance(Duration.ofSeconds(14));
    awaitAllWait();
    assertThat(counts().failures())
        .isEqualTo(failures + 1); // the pause is at least half of 30 seconds
    time.advance(Duration.ofSeconds(16));
    awaitAllWait();
    assertThat(counts().failures()).isEqualTo(failures + 2);
  }

  /**
   * An exporter that sends all calls in one request, but fails when the call with this id is among
   * them.
   */
  private static DestinationExporter failingFor(String id) {
    DestinationExporter exporter =
        new PlainExporters()
            .create("webhook", Json.object().put("url", "http://batch.test").build());
    return new DestinationExporter() {
      @Override
      public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
        if (calls.stream().anyMatch(call -> call.id().equals(id))) {
          throw new IllegalStateException("a call that cannot be exported");
        }
        return exporter.export(calls, now);
      }

      @Override
      public ConnectionTest test(Instant now) {
        return exporter.test(now);
      }
    };
  }

  @Test
  @DisplayName("are delivered even if the exporter fails for another call, which alone is lost")
  void failingExporter() throws InterruptedException {
    queue = queue(GATHERING, "partial-queue");
    queue.setExporter(failingFor("c5"));
    try (RecordedLog.Recording log = RecordedLog.record()) {
      deliverFirst();
      offer(20);
      time.advance(GATHERING);
      while (counts().queued() > 0) {
        time.advance(GATHERING);
        Thread.onSpinWait();
      }
      assertThat(log.linesWith("partial-queue"))
          .extracting(RecordedLog.Line::text)
          .containsExactly(
              "the exporter of destination partial-queue failed for call c5, which is lost;"
                  + " further failures are not logged until it has exported a call");
    }
    assertThat(counts().delivered()).isEqualTo(20);
    assertThat(counts().droppedFailed()).isEqualTo(1);
  }

  @Test
  @DisplayName("are delivered when the gateway closes, even if the exporter fails for another call")
  void failingExporterWhileClosing() throws InterruptedException {
    queue.setExporter(failingFor("c5"));
    deliverFirst();
    offer(20);
    queue.close();
    queue.awaitEnd(null);
    assertThat(counts().delivered()).isEqualTo(20);
    assertThat(counts().droppedFailed()).isEqualTo(1);
  }

  @Test
  @DisplayName("are delivered from disk even if the exporter fails for another call")
  void failingExporterOfDisk(@TempDir Path directory) {
    queue.close();
    DiskQueue disk = disk(directory);
    List<CallTrace> calls =
        IntStream.range(0, 20).mapToObj(i -> SampleTraces.bare("c" + i, time.now())).toList();
    disk.append(calls, false);
    queue =
        new DestinationQueue(
            "q", "q", new DestinationSender(transport, time), time, GATHERING, disk);
    queue.setExporter(failingFor("c5"));
    queue.setEnabled(true);
    awaitDelivered(19);
    while (disk.calls() > 0) {
      Thread.onSpinWait();
    }
    assertThat(counts().delivered()).isEqualTo(19);
    assertThat(counts().droppedFailed()).isEqualTo(1);
  }

  @Test
  @DisplayName("are not sent again if the exporter cannot read the answer that accepts them")
  void unreadableAnswer() throws InterruptedException {
    queue.setExporter(
        new DestinationExporter() {
          private final DestinationExporter exporter = failingFor("none");

          @Override
          public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
            return exporter.export(calls, now);
          }

          @Override
          public ConnectionTest test(Instant now) {
            return exporter.test(now);
          }

          @Override
          public long rejectedCount(byte[] answer) {
            throw new IllegalStateException("an answer that cannot be read");
          }
        });
    deliverFirst();
    offer(3);
    time.advance(GATHERING);
    awaitDelivered(4);
    awaitGathering();
    assertThat(transport.remainingRequests()).hasSize(1);
    assertThat(counts().droppedFailed()).isZero();
  }

  private DiskQueue disk(Path directory) {
    var cipher = new SecretCipher(() -> SecretKey.of(new byte[SecretKey.BYTES]), new SecureBytes());
    return new DiskQueue(
        directory.resolve("q"),
        "q",
        new DiskQueues.Options(1L << 20, cipher, new SecureBytes()),
        time);
  }

  @Test
  @DisplayName("go to disk if the queue is closed while a request with them is too large")
  void closedWhileTooLarge(@TempDir Path directory) {
    DiskQueue disk = disk(directory);
    queue.close();
    var closing = new ClosingTransport();
    queue =
        new DestinationQueue("q", "q", new DestinationSender(closing, time), time, GATHERING, disk);
    queue.setExporter(
        new PlainExporters()
            .create("webhook", Json.object().put("url", "http://batch.test").build()));
    offer(1);
    awaitGathering();
    assertThat(counts().delivered()).isEqualTo(1);
    closing.isClosing = true;
    offer(2);
    time.advance(GATHERING);
    queue.awaitEnd(null);
    assertThat(counts().droppedFailed()).isZero();
    assertThat(disk.calls()).isEqualTo(2);
  }

  /** A transport that, while {@code isClosing} is true, closes the queue and answers with 413. */
  private final class ClosingTransport implements Transport {
    private volatile boolean isClosing;

    @Override
    public Response send(Request request) throws IOException {
      if (isClosing) {
        queue.close();
        transport.then(413);
      }
      return transport.send(request);
    }

    @Override
    public void close() {}
  }
}
