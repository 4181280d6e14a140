package io.strowger.core;

import static io.strowger.core.TestServer.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.TestServer.Answer;
import io.strowger.core.config.SecretKey;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.store.Stores;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Finished calls, with a queue on disk,")
class BroadcastDiskTest {
  private static final String PATH = "/observability/destinations";
  private static final String THREAD = "destination-delivery";
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(15).toNanos(); // in real time
  private static final String PROMPT = "the prompt of a call";

  private final TestAmbient ambient = TestAmbient.at(TestServer.NOW);
  private final Stores stores = new MemoryStores();
  private final List<TestServer> servers = new ArrayList<>();

  @TempDir Path temporary;

  @AfterEach
  void noThreads() {
    servers.forEach(TestServer::close);
    ambient.assertNoThreadsLeft();
  }

  private Path directory() {
    return temporary.resolve("waiting");
  }

  private TestServer open() {
    return open(directory(), "", stores, (byte) 0);
  }

  private TestServer open(Path directory, String members, Stores stores, byte key) {
    byte[] bytes = new byte[SecretKey.BYTES];
    bytes[0] = key;
    return open(
        "'observability_queue':{'gather_ms':0,'directory':'" + directory + "'" + members + "}",
        stores,
        key(bytes));
  }

  private static SecretKeySource key(byte[] bytes) {
    return () -> SecretKey.of(bytes);
  }

  private TestServer open(String config, Stores stores, SecretKeySource key) {
    var server = new TestServer(config, stores, ambient, key);
    servers.add(server);
    return server;
  }

  /** Creates a webhook destination and returns its id. */
  private static String createWebhook(TestServer server) {
    Answer created =
        server.manage(
            "POST", PATH, "{'name':'h','type':'webhook','config':{'url':'http://hook.test'}}");
    assertThat(created.message()).isEmpty();
    return created.text("id");
  }

  /** Sends a chat request and returns the id of the generation. */
  private static String ask(TestServer server) {
    return ask(server, PROMPT);
  }

  private static String ask(TestServer server, String prompt) {
    Answer answer =
        server.send(
            APP,
            "POST",
            "/chat/completions",
            "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':'%s'}]}"
                .formatted(prompt));
    assertThat(answer.message()).isEmpty();
    return Objects.requireNonNull(answer.body().text("id"));
  }

  private static DestinationCounts counts(TestServer server) {
    return server.gateway.destinations().getFirst();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("nanoseconds beyond the timeout").isNegative();
      Thread.yield();
    }
  }

  private static void await(TestServer server, Predicate<DestinationCounts> condition) {
    await(() -> condition.test(counts(server)));
  }

  private static void awaitDelivered(TestServer server) {
    await(server, counts -> counts.queued() == 0 && counts.diskCalls() == 0);
  }

  /** Advances the clock until everything was delivered. */
  private void advanceUntilDelivered(TestServer server) {
    await(
        () -> {
          DestinationCounts now = counts(server);
          if (now.queued() + now.diskCalls() > 0) {
            ambient.advance(Duration.ofSeconds(1));
          }
          return now.queued() + now.diskCalls() == 0;
        });
  }

  /** Asserts that every call that was offered is waiting, delivered or counted as dropped. */
  private static void assertEveryCallCounted(TestServer server, long offered) {
    DestinationCounts now = counts(server);
    assertThat(
            now.queued()
                + now.diskCalls()
                + now.delivered()
                + now.droppedFull()
                + now.droppedRefused()
                + now.droppedFailed()
                + now.droppedDamaged())
        .as(now.toString())
        .isEqualTo(offered + now.recovered());
  }

  private static List<String> sent(TestServer server) {
    return server.destinations.remainingRequests().stream()
        .map(request -> TestServer.json(text(request.body()).replace("'", "")))
        .map(body -> Objects.requireNonNull(body.text("id")))
        .toList();
  }

  private static String text(@Nullable JsonOutput body) {
    return new String(Objects.requireNonNull(body).toByteArray(), StandardCharsets.UTF_8);
  }

  /** Returns the directories in the queue directory, one for each destination. */
  private static List<Path> queues(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(Files::isDirectory).toList();
    }
  }

  /** Sends a chat request while the destination fails, and waits until the call is on disk. */
  private String askWhileFailing(TestServer server) {
    server.destinations.then(500);
    String id = ask(server);
    ambient.awaitSleep(THREAD);
    await(server, counts -> counts.diskCalls() == 1 && counts.queued() == 0);
    return id;
  }

  @Test
  @DisplayName("are not written to disk while the destination accepts them")
  void healthy() throws IOException {
    TestServer server = open();
    createWebhook(server);
    for (int i = 0; i < 50; i++) {
      ask(server);
    }
    awaitDelivered(server);
    assertThat(counts(server).delivered()).isEqualTo(50);
    try (Stream<Path> all = Files.walk(directory())) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("waiting", "in-use.lock");
    }
    assertEveryCallCounted(server, 50);
  }

  @Test
  @DisplayName("wait on disk while the destination fails; each is sent once when it works again")
  void failing() throws IOException {
    TestServer server = open();
    createWebhook(server);
    server.destinations.then(500).then(503);
    var asked = new ArrayList<String>();
    asked.add(ask(server));
    ambient.awaitSleep(THREAD);
    for (int i = 0; i < 5; i++) {
      asked.add(ask(server));
    }
    await(server, counts -> counts.diskCalls() == 6 && counts.queued() == 0);
    assertEveryCallCounted(server, 6);
    assertThat(counts(server).diskBytes()).isPositive();
    ambient.advance(Duration.ofSeconds(1));
    await(server, counts -> counts.failures() == 2);
    ambient.awaitSleep(THREAD);
    assertThat(sent(server)).containsExactly(asked.getFirst(), asked.getFirst());
    ambient.advance(Duration.ofSeconds(2));
    awaitDelivered(server);
    assertThat(sent(server)).containsExactlyElementsOf(asked);
    assertThat(counts(server).delivered()).isEqualTo(6);
    assertEveryCallCounted(server, 6);
    await(() -> hasNoQueues(directory()));
  }

  @Test
  @DisplayName("are sent from disk in smaller requests after the destination answered 413")
  void tooLarge() {
    TestServer server = open();
    String id = createWebhook(server);
    server.manage("PATCH", PATH + "/" + id, "{'config':{'url':'http://batch.test'}}");
    server.destinations.then(500).then(413);
    ask(server);
    ambient.awaitSleep(THREAD);
    for (int i = 0; i < 5; i++) {
      ask(server);
    }
    await(server, counts -> counts.diskCalls() == 6 && counts.queued() == 0);
    ambient.advance(Duration.ofSeconds(1));
    awaitDelivered(server);
    assertThat(server.destinations.remainingRequests())
        .extracting(
            request ->
                Objects.requireNonNull(
                        TestServer.json(text(request.body()).replace("'", "")).list("calls"))
                    .size())
        .containsExactly(1, 6, 3, 3);
    assertThat(counts(server).delivered()).isEqualTo(6);
    assertEveryCallCounted(server, 6);
  }

  private static boolean hasNoQueues(Path directory) {
    try {
      return queues(directory).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("are moved to disk while the destination hangs; none is dropped")
  void hangs() {
    TestServer server = open();
    String id = createWebhook(server);
    server.destinations.then(-1);
    int calls = 2_100;
    for (int i = 0; i < calls; i++) {
      if (i == 1_500) { // before memory is full: the thread that moves calls to disk may start late
        await(server, counts -> counts.diskCalls() > 100);
      }
      ask(server);
    }
    await(server, counts -> counts.diskCalls() > 1_000 && counts.queued() <= 1_100);
    assertThat(counts(server).droppedFull()).isZero();
    await(server, counts -> counts.queued() + counts.diskCalls() == calls);
    server.manage("DELETE", PATH + "/" + id, ""); // ends the request that hangs
  }

  @Test
  @Tag("full") // the gateway waits five seconds for the destination that hangs
  @DisplayName(
      "that a hanging destination has not accepted at shutdown are sent by the next gateway")
  void closedWhileItHangs() {
    TestServer server = open();
    createWebhook(server);
    server.destinations.then(-1);
    var asked = new ArrayList<String>();
    for (int i = 0; i < 300; i++) {
      asked.add(ask(server));
    }
    server.close();
    assertThat(counts(server).diskCalls()).isEqualTo(300);
    assertEveryCallCounted(server, 300);
    TestServer next = open();
    awaitDelivered(next);
    assertThat(sent(next)).containsExactlyInAnyOrderElementsOf(asked);
  }

  @Test
  @DisplayName("stay on disk when the gateway closes; the next gateway delivers each once")
  void reopened() {
    TestServer server = open();
    createWebhook(server);
    String first = askWhileFailing(server);
    String second = ask(server);
    await(server, counts -> counts.diskCalls() == 2 && counts.queued() == 0);
    server.close();
    assertThat(counts(server).diskCalls()).isEqualTo(2);
    assertThat(counts(server).droppedFailed()).isZero();
    assertEveryCallCounted(server, 2);
    TestServer next = open();
    awaitDelivered(next);
    assertThat(sent(next)).containsExactly(first, second);
    assertThat(counts(next).recovered()).isEqualTo(2);
    assertEveryCallCounted(next, 0);
    next.close();
    TestServer last = open();
    assertThat(counts(last).recovered()).isZero();
    assertThat(sent(last)).isEmpty();
  }

  @Test
  @DisplayName("survive a killed process, and are encrypted on disk")
  void killed() throws IOException {
    TestServer server = open();
    createWebhook(server);
    String first = askWhileFailing(server);
    String second = ask(server);
    await(server, counts -> counts.diskCalls() == 2);
    Path copy = temporary.resolve("copy");
    copy(directory(), copy);
    TestServer next = open(copy, "", stores, (byte) 0);
    awaitDelivered(next);
    assertThat(sent(next)).containsExactly(first, second);
    assertEveryCallCounted(next, 0);
    try (Stream<Path> all = Files.walk(directory())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .doesNotContain(PROMPT, "prompt", first);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  @DisplayName("stay on disk while their destination is disabled or cannot be decrypted")
  void disabled() throws IOException {
    TestServer server = open();
    String id = createWebhook(server);
    String call = askWhileFailing(server);
    server.manage("PATCH", PATH + "/" + id, "{'enabled':false}");
    server.destinations.remainingRequests();
    ambient.advance(Duration.ofMinutes(10));
    server.close(); // waits for the delivering thread
    assertThat(sent(server)).isEmpty();
    TestServer other = open(directory(), "", stores, (byte) 1);
    assertThat(other.gateway.destinations()).isEmpty();
    other.close();
    assertThat(queues(directory())).hasSize(1);
    TestServer again = open();
    assertThat(sent(again)).isEmpty();
    assertThat(counts(again).diskCalls()).isEqualTo(1);
    again.manage("PATCH", PATH + "/" + id, "{'enabled':true}");
    awaitDelivered(again);
    assertThat(sent(again)).containsExactly(call);
  }

  @Test
  @DisplayName("are deleted with their destination: at once, or at a start without the destination")
  void deleted() throws IOException {
    TestServer server = open();
    String id = createWebhook(server);
    askWhileFailing(server);
    assertThat(queues(directory())).hasSize(1);
    server.manage("DELETE", PATH + "/" + id, "");
    assertThat(queues(directory())).isEmpty();
    assertThat(server.gateway.destinations()).isEmpty();
    createWebhook(server);
    askWhileFailing(server);
    server.close();
    Files.createDirectory(directory().resolve("foreign"));
    open(directory(), "", new MemoryStores(), (byte) 0);
    assertThat(queues(directory())).containsExactly(directory().resolve("foreign"));
  }

  @Test
  @DisplayName("are dropped and counted when disk and memory are full")
  void bounded() {
    TestServer server = open(directory(), ",'max_mib':1", stores, (byte) 0);
    createWebhook(server);
    String large = "x".repeat(300_000);
    server.destinations.then(500);
    ask(server, large);
    ambient.awaitSleep(THREAD);
    int calls = 70;
    for (int i = 1; i < calls; i++) {
      ask(server, large);
    }
    await(server, counts -> counts.diskCalls() == 3);
    assertThat(counts(server).diskBytes()).isLessThanOrEqualTo(1 << 20);
    long dropped = counts(server).droppedFull();
    assertThat(dropped).isBetween(5L, 20L);
    advanceUntilDelivered(server);
    assertThat(counts(server).delivered()).isEqualTo(calls - dropped);
    assertEveryCallCounted(server, calls);
  }

  @Test
  @DisplayName("stay in memory while the disk is not writable, without an error for the caller")
  void unwritable() throws IOException {
    TestServer server = open();
    createWebhook(server);
    Files.delete(directory().resolve("in-use.lock"));
    Files.delete(directory());
    Files.createFile(directory());
    server.destinations.then(500);
    ask(server);
    ambient.awaitSleep(THREAD);
    ask(server);
    assertThat(counts(server).diskCalls()).isZero();
    await(server, counts -> counts.queued() == 2);
    assertEveryCallCounted(server, 2);
    advanceUntilDelivered(server);
    assertThat(counts(server).delivered()).isEqualTo(2);
    Files.delete(directory());
    ambient.advance(Duration.ofSeconds(2));
    askWhileFailing(server);
    advanceUntilDelivered(server);
    assertThat(counts(server).delivered()).isEqualTo(3);
  }

  @Test
  @DisplayName("do not wait for one call that the destination always fails to accept")
  void poison() {
    TestServer server = open();
    createWebhook(server);
    server.destinations.alwaysFail("poison");
    ask(server, "poison");
    ambient.awaitSleep(THREAD);
    for (int i = 0; i < 3; i++) {
      ask(server);
    }
    await(server, counts -> counts.diskCalls() == 4);
    await(
        () -> {
          ambient.advance(Duration.ofSeconds(1));
          return counts(server).delivered() == 3;
        });
    await(server, counts -> counts.diskCalls() == 1 && counts.queued() == 0);
    server.destinations.alwaysFail(null);
    advanceUntilDelivered(server);
    assertEveryCallCounted(server, 4);
  }

  @Test
  @DisplayName("are not moved to disk after earlier calls were refused permanently")
  void refused() throws IOException {
    TestServer server = open();
    String id = createWebhook(server);
    server.destinations.then(401).then(-1);
    ask(server);
    awaitDelivered(server);
    assertThat(counts(server).droppedRefused()).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      ask(server);
    }
    await(() -> server.destinations.remainingRequests().size() > 0); // the request that hangs
    assertThat(counts(server).queued()).isEqualTo(10);
    assertThat(queues(directory())).isEmpty();
    assertEveryCallCounted(server, 11);
    server.manage("DELETE", PATH + "/" + id, ""); // ends the request that hangs
  }

  @Test
  @DisplayName("cannot wait in a directory that another gateway uses")
  void inUse() {
    TestServer server = open();
    assertThatThrownBy(this::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("observability_queue.directory")
        .hasMessageContaining(directory() + " is in use by another gateway");
    server.close();
    open();
  }

  @Test
  @DisplayName("cannot wait on disk without a secret key")
  void noKey() {
    String config = "'observability_queue':{'directory':'" + directory() + "'}";
    assertThatThrownBy(() -> open(config, stores, SecretKeySource.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("observability_queue.directory")
        .hasMessageContaining("set store.secret_key");
    assertThat(directory()).doesNotExist();
  }

  @Test
  @DisplayName("cannot wait on disk if the configured path is no directory")
  void noDirectory() throws IOException {
    Files.createFile(directory());
    assertThatThrownBy(this::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("observability_queue.directory cannot be used");
  }

  @Test
  @DisplayName("for a destination of the configuration file wait on disk, too")
  void file() {
    String config =
        "'observability_queue':{'gather_ms':0,'directory':'"
            + directory()
            + "'},'observability_destinations':[{'id':'../d','name':'n','type':'webhook',"
            + "'config':{'url':'http://hook.test'}}]";
    TestServer server = open(config, stores, key(new byte[SecretKey.BYTES]));
    String call = askWhileFailing(server);
    server.close();
    TestServer next = open(config, stores, key(new byte[SecretKey.BYTES]));
    awaitDelivered(next);
    assertThat(sent(next)).containsExactly(call);
  }
}
