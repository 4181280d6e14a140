package io.strowger.core;

import static io.strowger.core.House.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.House.Answer;
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
  private static final long PATIENCE = Duration.ofSeconds(15).toNanos(); // of the test, real time
  private static final String SAID = "the prompt of a call";

  private final TestAmbient ambient = TestAmbient.at(House.NOW);
  private final Stores stores = new MemoryStores();
  private final List<House> houses = new ArrayList<>();

  @TempDir Path temporary;

  @AfterEach
  void noThreads() {
    houses.forEach(House::close);
    ambient.assertNoThreadsLeft();
  }

  private Path directory() {
    return temporary.resolve("waiting");
  }

  private House open() {
    return open(directory(), "", stores, (byte) 0);
  }

  private House open(Path at, String more, Stores on, byte key) {
    byte[] bytes = new byte[SecretKey.BYTES];
    bytes[0] = key;
    return open(
        "'observability_queue':{'gather_ms':0,'directory':'" + at + "'" + more + "}",
        on,
        key(bytes));
  }

  private static SecretKeySource key(byte[] bytes) {
    return () -> SecretKey.of(bytes);
  }

  private House open(String config, Stores on, SecretKeySource key) {
    var house = new House(config, on, ambient, key);
    houses.add(house);
    return house;
  }

  private static String hook(House house) {
    Answer made =
        house.manage(
            "POST", PATH, "{'name':'h','type':'webhook','config':{'url':'http://hook.test'}}");
    assertThat(made.message()).isEmpty();
    return made.text("id");
  }

  /** Asks a model, and returns the id of the generation. */
  private static String ask(House house) {
    return ask(house, SAID);
  }

  private static String ask(House house, String said) {
    Answer answer =
        house.send(
            APP,
            "POST",
            "/chat/completions",
            "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':'%s'}]}"
                .formatted(said));
    assertThat(answer.message()).isEmpty();
    return Objects.requireNonNull(answer.body().text("id"));
  }

  private static DestinationCounts counts(House house) {
    return house.gateway.destinations().getFirst();
  }

  private static void await(BooleanSupplier done) {
    long until = System.nanoTime() + PATIENCE;
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - until).as("nanoseconds too late").isNegative();
      Thread.yield();
    }
  }

  private static void await(House house, Predicate<DestinationCounts> done) {
    await(() -> done.test(counts(house)));
  }

  private static void settle(House house) {
    await(house, counts -> counts.queued() == 0 && counts.diskCalls() == 0);
  }

  /** Lets time pass until everything was delivered. */
  private void advanceUntilSettled(House house) {
    await(
        () -> {
          DestinationCounts now = counts(house);
          if (now.queued() + now.diskCalls() > 0) {
            ambient.advance(Duration.ofSeconds(1));
          }
          return now.queued() + now.diskCalls() == 0;
        });
  }

  private static void assertConserved(House house, long offered) {
    DestinationCounts now = counts(house);
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

  private static List<String> sent(House house) {
    return house.destinations.rest().stream()
        .map(request -> House.json(text(request.body()).replace("'", "")))
        .map(body -> Objects.requireNonNull(body.text("id")))
        .toList();
  }

  private static String text(@Nullable JsonOutput body) {
    return new String(Objects.requireNonNull(body).toByteArray(), StandardCharsets.UTF_8);
  }

  /** The directories of destinations. */
  private static List<Path> queues(Path in) throws IOException {
    try (Stream<Path> all = Files.list(in)) {
      return all.filter(Files::isDirectory).toList();
    }
  }

  /** Has the destination fail, and a call wait on disk. */
  private String askWhileFailing(House house) {
    house.destinations.then(500);
    String id = ask(house);
    ambient.awaitSleep(THREAD);
    await(house, counts -> counts.diskCalls() == 1 && counts.queued() == 0);
    return id;
  }

  @Test
  @DisplayName("touch no disk while the destination takes them")
  void healthy() throws IOException {
    House house = open();
    hook(house);
    for (int i = 0; i < 50; i++) {
      ask(house);
    }
    settle(house);
    assertThat(counts(house).delivered()).isEqualTo(50);
    try (Stream<Path> all = Files.walk(directory())) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("waiting", "in-use.lock");
    }
    assertConserved(house, 50);
  }

  @Test
  @DisplayName("wait there while the destination fails, and each is sent once when it works again")
  void failing() throws IOException {
    House house = open();
    hook(house);
    house.destinations.then(500).then(503);
    var asked = new ArrayList<String>();
    asked.add(ask(house));
    ambient.awaitSleep(THREAD);
    for (int i = 0; i < 5; i++) {
      asked.add(ask(house));
    }
    await(house, counts -> counts.diskCalls() == 6 && counts.queued() == 0);
    assertConserved(house, 6);
    assertThat(counts(house).diskBytes()).isPositive();
    ambient.advance(Duration.ofSeconds(1));
    await(house, counts -> counts.failures() == 2);
    ambient.awaitSleep(THREAD);
    assertThat(sent(house)).containsExactly(asked.getFirst(), asked.getFirst());
    ambient.advance(Duration.ofSeconds(2));
    settle(house);
    assertThat(sent(house)).containsExactlyElementsOf(asked);
    assertThat(counts(house).delivered()).isEqualTo(6);
    assertConserved(house, 6);
    await(() -> isEmptyOf(directory()));
  }

  @Test
  @DisplayName("are read from there in smaller requests when there are too many in one")
  void tooLarge() {
    House house = open();
    String id = hook(house);
    house.manage("PATCH", PATH + "/" + id, "{'config':{'url':'http://batch.test'}}");
    house.destinations.then(500).then(413);
    ask(house);
    ambient.awaitSleep(THREAD);
    for (int i = 0; i < 5; i++) {
      ask(house);
    }
    await(house, counts -> counts.diskCalls() == 6 && counts.queued() == 0);
    ambient.advance(Duration.ofSeconds(1));
    settle(house);
    assertThat(house.destinations.rest())
        .extracting(
            request ->
                Objects.requireNonNull(
                        House.json(text(request.body()).replace("'", "")).list("calls"))
                    .size())
        .containsExactly(1, 6, 3, 3);
    assertThat(counts(house).delivered()).isEqualTo(6);
    assertConserved(house, 6);
  }

  private static boolean isEmptyOf(Path directory) {
    try {
      return queues(directory).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("are moved there while the destination hangs, and none waits or is dropped")
  void hangs() {
    House house = open();
    String id = hook(house);
    house.destinations.then(-1);
    int calls = 2_100;
    for (int i = 0; i < calls; i++) {
      if (i == 1_500) { // room in memory is left: whoever moves them may be slow to begin
        await(house, counts -> counts.diskCalls() > 100);
      }
      ask(house);
    }
    await(house, counts -> counts.diskCalls() > 1_000 && counts.queued() <= 1_100);
    assertThat(counts(house).droppedFull()).isZero();
    await(house, counts -> counts.queued() + counts.diskCalls() == calls);
    house.manage("DELETE", PATH + "/" + id, ""); // ends the exchange
  }

  @Test
  @Tag("full") // the gateway waits five seconds for the destination that hangs
  @DisplayName("that a destination did not take until the end are delivered by the next gateway")
  void closedWhileItHangs() {
    House house = open();
    hook(house);
    house.destinations.then(-1);
    var asked = new ArrayList<String>();
    for (int i = 0; i < 300; i++) {
      asked.add(ask(house));
    }
    house.close();
    assertThat(counts(house).diskCalls()).isEqualTo(300);
    assertConserved(house, 300);
    House next = open();
    settle(next);
    assertThat(sent(next)).containsExactlyInAnyOrderElementsOf(asked);
  }

  @Test
  @DisplayName("stay there when the gateway closes, and are delivered by the next one, once")
  void reopened() {
    House house = open();
    hook(house);
    String first = askWhileFailing(house);
    String second = ask(house);
    await(house, counts -> counts.diskCalls() == 2 && counts.queued() == 0);
    house.close();
    assertThat(counts(house).diskCalls()).isEqualTo(2);
    assertThat(counts(house).droppedFailed()).isZero();
    assertConserved(house, 2);
    House next = open();
    settle(next);
    assertThat(sent(next)).containsExactly(first, second);
    assertThat(counts(next).recovered()).isEqualTo(2);
    assertConserved(next, 0);
    next.close();
    House last = open();
    assertThat(counts(last).recovered()).isZero();
    assertThat(sent(last)).isEmpty();
  }

  @Test
  @DisplayName("survive the kill of a process, and cannot be read by others")
  void killed() throws IOException {
    House house = open();
    hook(house);
    String first = askWhileFailing(house);
    String second = ask(house);
    await(house, counts -> counts.diskCalls() == 2);
    Path copy = temporary.resolve("copy");
    copy(directory(), copy);
    House next = open(copy, "", stores, (byte) 0);
    settle(next);
    assertThat(sent(next)).containsExactly(first, second);
    assertConserved(next, 0);
    try (Stream<Path> all = Files.walk(directory())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .doesNotContain(SAID, "prompt", first);
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
  @DisplayName("stay there as long as their destination is disabled or cannot be read")
  void disabled() throws IOException {
    House house = open();
    String id = hook(house);
    String call = askWhileFailing(house);
    house.manage("PATCH", PATH + "/" + id, "{'enabled':false}");
    house.destinations.rest();
    ambient.advance(Duration.ofMinutes(10));
    house.close(); // waits for whoever delivers
    assertThat(sent(house)).isEmpty();
    House other = open(directory(), "", stores, (byte) 1);
    assertThat(other.gateway.destinations()).isEmpty();
    other.close();
    assertThat(queues(directory())).hasSize(1);
    House again = open();
    assertThat(sent(again)).isEmpty();
    assertThat(counts(again).diskCalls()).isEqualTo(1);
    again.manage("PATCH", PATH + "/" + id, "{'enabled':true}");
    settle(again);
    assertThat(sent(again)).containsExactly(call);
  }

  @Test
  @DisplayName("are deleted with their destination, at once and at a start without it")
  void deleted() throws IOException {
    House house = open();
    String id = hook(house);
    askWhileFailing(house);
    assertThat(queues(directory())).hasSize(1);
    house.manage("DELETE", PATH + "/" + id, "");
    assertThat(queues(directory())).isEmpty();
    assertThat(house.gateway.destinations()).isEmpty();
    hook(house);
    askWhileFailing(house);
    house.close();
    Files.createDirectory(directory().resolve("of-somebody-else"));
    open(directory(), "", new MemoryStores(), (byte) 0);
    assertThat(queues(directory())).containsExactly(directory().resolve("of-somebody-else"));
  }

  @Test
  @DisplayName("are dropped when disk and memory are full, and counted")
  void bounded() {
    House house = open(directory(), ",'max_mib':1", stores, (byte) 0);
    hook(house);
    String large = "x".repeat(300_000);
    house.destinations.then(500);
    ask(house, large);
    ambient.awaitSleep(THREAD);
    int calls = 70;
    for (int i = 1; i < calls; i++) {
      ask(house, large);
    }
    await(house, counts -> counts.diskCalls() == 3);
    assertThat(counts(house).diskBytes()).isLessThanOrEqualTo(1 << 20);
    long dropped = counts(house).droppedFull();
    assertThat(dropped).isBetween(5L, 20L);
    advanceUntilSettled(house);
    assertThat(counts(house).delivered()).isEqualTo(calls - dropped);
    assertConserved(house, calls);
  }

  @Test
  @DisplayName("stay in memory while the disk refuses them, and no call notices")
  void unwritable() throws IOException {
    House house = open();
    hook(house);
    Files.delete(directory().resolve("in-use.lock"));
    Files.delete(directory());
    Files.createFile(directory());
    house.destinations.then(500);
    ask(house);
    ambient.awaitSleep(THREAD);
    ask(house);
    assertThat(counts(house).diskCalls()).isZero();
    await(house, counts -> counts.queued() == 2);
    assertConserved(house, 2);
    advanceUntilSettled(house);
    assertThat(counts(house).delivered()).isEqualTo(2);
    Files.delete(directory());
    ambient.advance(Duration.ofSeconds(2));
    askWhileFailing(house);
    advanceUntilSettled(house);
    assertThat(counts(house).delivered()).isEqualTo(3);
  }

  @Test
  @DisplayName("of which the destination always fails for one do not wait for that one")
  void poison() {
    House house = open();
    hook(house);
    house.destinations.refuse("poison");
    ask(house, "poison");
    ambient.awaitSleep(THREAD);
    for (int i = 0; i < 3; i++) {
      ask(house);
    }
    await(house, counts -> counts.diskCalls() == 4);
    await(
        () -> {
          ambient.advance(Duration.ofSeconds(1));
          return counts(house).delivered() == 3;
        });
    await(house, counts -> counts.diskCalls() == 1 && counts.queued() == 0);
    house.destinations.refuse(null);
    advanceUntilSettled(house);
    assertConserved(house, 4);
  }

  @Test
  @DisplayName("do not go there because others were refused for good")
  void refused() throws IOException {
    House house = open();
    String id = hook(house);
    house.destinations.then(401).then(-1);
    ask(house);
    settle(house);
    assertThat(counts(house).droppedRefused()).isEqualTo(1);
    for (int i = 0; i < 10; i++) {
      ask(house);
    }
    await(() -> house.destinations.rest().size() > 0); // the one that hangs
    assertThat(counts(house).queued()).isEqualTo(10);
    assertThat(queues(directory())).isEmpty();
    assertConserved(house, 11);
    house.manage("DELETE", PATH + "/" + id, ""); // ends the exchange
  }

  @Test
  @DisplayName("wait in a directory of one gateway alone")
  void inUse() {
    House house = open();
    assertThatThrownBy(this::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("observability_queue.directory")
        .hasMessageContaining(directory() + " is in use by another gateway");
    house.close();
    open();
  }

  @Test
  @DisplayName("do not wait there without a secret key")
  void noKey() {
    String config = "'observability_queue':{'directory':'" + directory() + "'}";
    assertThatThrownBy(() -> open(config, stores, SecretKeySource.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("observability_queue.directory")
        .hasMessageContaining("set store.secret_key");
    assertThat(directory()).doesNotExist();
  }

  @Test
  @DisplayName("do not wait in what is no directory")
  void noDirectory() throws IOException {
    Files.createFile(directory());
    assertThatThrownBy(this::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("observability_queue.directory cannot be used");
  }

  @Test
  @DisplayName("of destinations of the file wait there too")
  void file() {
    String config =
        "'observability_queue':{'gather_ms':0,'directory':'"
            + directory()
            + "'},'observability_destinations':[{'id':'../d','name':'n','type':'webhook',"
            + "'config':{'url':'http://hook.test'}}]";
    House house = open(config, stores, key(new byte[SecretKey.BYTES]));
    String call = askWhileFailing(house);
    house.close();
    House next = open(config, stores, key(new byte[SecretKey.BYTES]));
    settle(next);
    assertThat(sent(next)).containsExactly(call);
  }
}
