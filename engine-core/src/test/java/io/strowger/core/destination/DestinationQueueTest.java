package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.RecordedLog;
import io.strowger.core.ambient.SecureBytes;
import io.strowger.core.config.SecretKey;
import io.strowger.core.secret.SecretCipher;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Calls that wait for a destination")
class DestinationQueueTest {
  private static final String START = "2026-11-21T12:00:00Z";
  private static final String THREAD = "destination-delivery";
  private static final Duration GATHERING = Duration.ofMillis(100);

  /** Calls after which a queue does not wait for more. */
  private static final int ENOUGH = WaitingCalls.MAX_CALLS / 4 + 1;

  private final TestAmbient time = TestAmbient.at(START);
  private final AtomicInteger sleeps = new AtomicInteger(); // of the thread that delivers
  private final ScriptedTransport transport = new ScriptedTransport();
  private DestinationQueue queue = queue(GATHERING);
  private int offered;

  /** Counts how often the thread that delivers goes to sleep, which it does when it is awake. */
  private final class CountingAmbient implements Ambient {
    @Override
    public Instant now() {
      return time.now();
    }

    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public long seed() {
      return time.seed();
    }

    @Override
    public void sleep(Duration length) throws InterruptedException {
      if (Thread.currentThread().getName().equals(THREAD)) {
        sleeps.incrementAndGet();
      }
      time.sleep(length);
    }

    @Override
    public Thread start(String name, Runnable task) {
      return time.start(name, task);
    }

    @Override
    public Thread startService(String name, Runnable task) {
      return time.startService(name, task);
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

  /** One that delivers all calls of a batch in one request. */
  private DestinationQueue queue(Duration gathering) {
    return queue(gathering, "q");
  }

  private DestinationQueue queue(Duration gathering, String name) {
    var ambient = new CountingAmbient();
    var made =
        new DestinationQueue(
            "q", name, new DestinationSender(transport, ambient), ambient, gathering, null);
    made.setExporter(
        new PlainExporters()
            .create("webhook", Json.object().put("url", "http://batch.test").build()));
    return made;
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

  /** How many calls the next request has. */
  private int nextSize() throws InterruptedException {
    return Objects.requireNonNull(transport.nextBody().list("calls")).size();
  }

  /** Has one call delivered, after which others gather. */
  private void deliverFirst() throws InterruptedException {
    offer(1);
    assertThat(nextSize()).isEqualTo(1);
    awaitGathering();
    assertThat(counts().delivered()).isEqualTo(1);
  }

  /** Until the thread that delivers sleeps and does nothing else. */
  private void awaitGathering() {
    time.awaitSleep(THREAD);
  }

  /** Until no thread does anything before time moves on. */
  private void awaitAllWait() {
    while (!time.allIdle()) {
      Thread.onSpinWait();
    }
  }

  private void awaitParked() {
    while (time.sleepers() > 0 || !time.allIdle()) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("are delivered at once after none came for a while")
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
  @DisplayName("wake nobody while they gather, and are delivered together when the time is over")
  void gathered() throws InterruptedException {
    deliverFirst();
    assertThat(sleeps).hasValue(1);
    time.advance(GATHERING.minusNanos(1));
    offer(50);
    awaitAllWait();
    assertThat(sleeps).hasValue(1);
    assertThat(counts().queued()).isEqualTo(50);
    assertThat(transport.rest()).isEmpty();
    time.advance(Duration.ofNanos(1));
    assertThat(nextSize()).isEqualTo(50);
    awaitDelivered(51);
    awaitGathering();
    assertThat(sleeps).hasValue(2);
  }

  @Test
  @DisplayName("go in full batches when there are many, and the last of them with the next")
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
  @DisplayName("do not gather longer when a quarter of the queue is in use")
  void enough() {
    offer(1);
    awaitGathering();
    offer(ENOUGH - 1);
    awaitAllWait();
    assertThat(counts().queued()).isEqualTo(ENOUGH - 1);
    offer(1);
    awaitDelivered(1 + ENOUGH - ENOUGH % 100);
    awaitGathering();
    assertThat(time.now()).isEqualTo(START);
    assertThat(counts().droppedFull()).isZero();
  }

  @Test
  @DisplayName("do not gather longer when they take a quarter of the queue's bytes")
  void enoughBytes() {
    offer(1);
    awaitGathering();
    long third = // of a quarter, and 3 of them are no more than that
        WaitingCalls.MAX_BYTES / 12;
    offer(3, third);
    awaitAllWait();
    assertThat(counts().queued()).isEqualTo(3);
    offer(1, third);
    awaitDelivered(5);
    assertThat(time.now()).isEqualTo(START);
  }

  @Test
  @DisplayName("are delivered at once when the gateway closes while they gather")
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
  @DisplayName("are dropped at once, and counted, when their destination is deleted meanwhile")
  void discarded() throws InterruptedException {
    deliverFirst();
    offer(20);
    queue.discard();
    queue.awaitEnd(null);
    assertThat(transport.rest()).isEmpty();
    assertThat(counts().droppedFailed()).isEqualTo(20);
  }

  @Test
  @DisplayName("are delivered by the exporter that is in force when the time is over")
  void exchanged() throws InterruptedException {
    deliverFirst();
    offer(1);
    queue.setExporter(
        new PlainExporters()
            .create("webhook", Json.object().put("url", "http://other.test").build()));
    time.advance(GATHERING);
    assertThat(transport.next().uri().getHost()).isEqualTo("other.test");
    awaitDelivered(2);
  }

  @Test
  @DisplayName("do not end the pause of a destination that failed, however many they are")
  void failing() throws InterruptedException {
    transport.then(503, "Retry-After", "60");
    offer(1);
    assertThat(nextSize()).isEqualTo(1);
    time.awaitSleep(THREAD);
    offer(ENOUGH + 100);
    awaitAllWait();
    assertThat(transport.rest()).isEmpty();
    time.advance(Duration.ofSeconds(60));
    awaitDelivered(600);
    assertThat(counts().failures()).isEqualTo(1);
  }

  /** Has one call sent, and waits until it was delivered or refused. */
  private void settleOne() {
    long settled = counts().delivered() + counts().droppedRefused();
    offer(1);
    while (counts().delivered() + counts().droppedRefused() == settled) {
      Thread.onSpinWait();
    }
    awaitParked();
  }

  @Test
  @DisplayName("are lost by a final answer, and the log says so once until the answers change")
  void logged() {
    queue = queue(Duration.ZERO, "logged-queue");
    try (RecordedLog.Recording log = RecordedLog.record()) {
      transport.then(401).then(403);
      settleOne();
      settleOne();
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
      settleOne();
      assertThat(counts().failing()).isFalse();
      settleOne();
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
  @DisplayName("do not gather when the gathering time is zero")
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
  @DisplayName("come while the thread that delivers goes to sleep, and none is forgotten")
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
  @DisplayName("are not sent while the destination wants to be left alone, also those of one batch")
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
    assertThat(transport.rest()).hasSize(1);
    assertThat(counts().droppedFailed()).isEqualTo(1);
    assertThat(counts().queued()).isEqualTo(2);
    time.advance(Duration.ofSeconds(1000));
    awaitGathering();
    time.advance(GATHERING);
    awaitDelivered(3);
    assertThat(counts().failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("are sent again after a pause that has grown with the calls before them")
  void backoff() throws InterruptedException {
    queue = queue(Duration.ZERO);
    for (int i = 0; i < 40; i++) {
      transport.then(500);
    }
    offer(1);
    awaitAllWait();
    while (counts().droppedFailed() == 0) { // for five minutes
      time.advance(Duration.ofSeconds(30));
      awaitAllWait();
    }
    long failures = counts().failures();
    assertThat(failures).isLessThan(40);
    offer(1);
    while (counts().failures() == failures) { // until the parked worker was woken and has sent it
      Thread.onSpinWait();
    }
    awaitAllWait();
    time.advance(Duration.ofSeconds(14));
    awaitAllWait();
    assertThat(counts().failures()).isEqualTo(failures + 1); // half of 30 seconds at least
    time.advance(Duration.ofSeconds(16));
    awaitAllWait();
    assertThat(counts().failures()).isEqualTo(failures + 2);
  }

  @Test
  @DisplayName("go to disk when the queue is closed while they have to be sent in smaller requests")
  void closedWhileTooLarge(@TempDir Path directory) {
    var cipher = new SecretCipher(() -> SecretKey.of(new byte[SecretKey.BYTES]), new SecureBytes());
    var disk =
        new DiskQueue(
            directory.resolve("q"),
            "q",
            new DiskQueues.Options(1L << 20, cipher, new SecureBytes()),
            time);
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
    closing.closes = true;
    offer(2);
    time.advance(GATHERING);
    queue.awaitEnd(null);
    assertThat(counts().droppedFailed()).isZero();
    assertThat(disk.calls()).isEqualTo(2);
  }

  /** Once told to, closes the queue while it sends, and answers that the request is too large. */
  private final class ClosingTransport implements Transport {
    private volatile boolean closes;

    @Override
    public Response send(Request request) throws IOException {
      if (closes) {
        queue.close();
        transport.then(413);
      }
      return transport.send(request);
    }

    @Override
    public void close() {}
  }
}
