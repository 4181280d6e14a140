package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.access.ClientNetwork;
import io.strowger.core.access.FailedCredentials;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.config.IpNetwork;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.FailedCredentialCounts;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A client that guesses keys")
class GuessedKeysTest {
  private static final InetAddress OFFICE = address("203.0.113.7");
  private static final int FREE_FAILURES = 20;
  private static final String HASH = Authenticator.id(new Credential("sk-app")).hex();

  private final TestHttpApi api = new TestHttpApi();
  private final AtomicInteger guesses = new AtomicInteger();

  private static InetAddress address(String text) {
    return Objects.requireNonNull(IpNetwork.address(text));
  }

  private FailedCredentialCounts failureCounts() {
    return api.account.authenticator().failedCredentials();
  }

  private WireResponse ask(String key, @Nullable InetAddress from) {
    return api.chat(TestHttpApi.CHAT_BODY).key(key).from(from).send();
  }

  private int guess(@Nullable InetAddress from) {
    return ask("sk-guess-" + guesses.incrementAndGet(), from).status();
  }

  private void useUpFreeFailures(InetAddress from) {
    for (int i = 0; i < FREE_FAILURES; i++) {
      assertThat(guess(from)).isEqualTo(401);
    }
    assertThat(failureCounts().waiting()).as("requests held back so far").isZero();
  }

  @Test
  @DisplayName("sixteen at a time gets about one answer a second")
  void parallel() throws InterruptedException {
    useUpFreeFailures(OFFICE);
    int before = guesses.get();
    var over = new AtomicInteger();
    List<Thread> guessers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      guessers.add(
          api.ambient.start(
              "guesser",
              () -> {
                while (over.get() == 0) {
                  guess(OFFICE);
                }
              }));
    }
    int seconds = 40;
    for (int second = 0; second < seconds; second++) {
      awaitHeld(16);
      api.ambient.advance(Duration.ofSeconds(1));
    }
    awaitHeld(16);
    assertThat(guesses.get() - before)
        .as("guesses in %d seconds by 16 threads that are held back", seconds)
        .isBetween(seconds, 2 * seconds + 16);
    assertThat(failureCounts().waiting()).isEqualTo(16);
    over.set(1);
    advanceMinuteAndJoin(guessers);
    assertThat(failureCounts().waiting()).isZero();
  }

  /** Waits until this many requests are held back; the watch of the store sleeps, too. */
  private void awaitHeld(int count) {
    api.ambient.awaitSleepers(count + 1);
  }

  @Test
  @DisplayName(
      "does not slow down valid keys from the same address, whether this node knows them or not")
  void validKeys() throws InterruptedException {
    useUpFreeFailures(OFFICE);
    List<Thread> held = startHeldGuesses(16);
    assertThat(ask("sk-app", OFFICE).status())
        .as("a key that this node has not seen")
        .isEqualTo(200);
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    assertThat(failureCounts().waiting()).isEqualTo(16);
    advanceMinuteAndJoin(held);
  }

  /** Starts guesses from the office that wait for their answers. */
  private List<Thread> startHeldGuesses(int count) {
    List<Thread> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(api.ambient.start("guesser", () -> guess(OFFICE)));
      awaitHeld(i + 1);
    }
    return held;
  }

  /** Lets a minute pass, which answers the held requests, and waits for their threads. */
  private void advanceMinuteAndJoin(List<Thread> held) throws InterruptedException {
    api.ambient.advance(Duration.ofSeconds(60));
    for (Thread thread : held) {
      thread.join();
    }
  }

  @Test
  @DisplayName(
      "far too fast is refused with 429 before its key is checked, while known keys still pass")
  void farTooFast() throws InterruptedException {
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    useUpFreeFailures(OFFICE);
    List<Thread> held = startHeldGuesses(61);
    WireResponse refused = ask("sk-guess", OFFICE);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers().get("Retry-After")).isEqualTo("1");
    assertThat(TestHttpApi.message(refused)).contains("wrong credentials from this address");
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    assertThat(failureCounts())
        .isEqualTo(new FailedCredentialCounts(FREE_FAILURES + 61, 61, 1, 61, 1));
    advanceMinuteAndJoin(held);
    api.ambient.advance(Duration.ofMinutes(1));
    assertThat(guess(OFFICE)).isEqualTo(401);
  }

  /** A change that drops a key from the keys that a node has cached. */
  enum Change {
    OF_THE_KEY,
    OF_A_WORKSPACE,
    OF_EVERYTHING
  }

  private void apply(Change change) {
    switch (change) {
      case OF_THE_KEY -> manage("PATCH", "/keys/" + HASH, "{\"name\":\"renamed\"}");
      case OF_A_WORKSPACE -> manage("POST", "/workspaces", "{\"name\":\"W\",\"slug\":\"w\"}");
      case OF_EVERYTHING -> {
        api.ambient.advance(StoreWatch.POLL_INTERVAL); // the first poll drops everything
        awaitHeld(61);
      }
    }
  }

  private Json.Obj manage(String method, String path, String body) {
    WireResponse response = api.call(method, path).key("sk-admin").body(body).send();
    assertThat(response.status()).isBetween(200, 201);
    return TestHttpApi.json(response);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("does not shut out a key in use from the same address, whatever is changed")
  void changed(Change change) throws InterruptedException {
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    useUpFreeFailures(OFFICE);
    List<Thread> held = startHeldGuesses(61);
    assertThat(ask("sk-guess", OFFICE).status()).isEqualTo(429);
    apply(change);
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    advanceMinuteAndJoin(held);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("does not shut out the former secret of a rotated key during its overlap")
  void rotated(Change change) throws InterruptedException {
    manage("POST", "/keys/" + HASH + "/rotate", "{\"overlap_seconds\":3600}");
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    useUpFreeFailures(OFFICE);
    List<Thread> held = startHeldGuesses(61);
    assertThat(ask("sk-guess", OFFICE).status()).isEqualTo(429);
    apply(change);
    assertThat(ask("sk-app", OFFICE).status()).isEqualTo(200);
    advanceMinuteAndJoin(held);
  }

  /** Why a key is no longer valid. */
  enum Invalidation {
    DISABLED,
    EXPIRED
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "differs from one that continues to use a former key: the latter shuts out unknown keys from"
          + " its address for a minute only")
  void formerKey(Invalidation invalidation) throws InterruptedException {
    String end = api.ambient.now().plusSeconds(10).toString();
    Json.Obj created = manage("POST", "/keys", "{\"name\":\"old\",\"expires_at\":\"" + end + "\"}");
    String key = Objects.requireNonNull(created.text("key"));
    assertThat(ask(key, OFFICE).status()).isEqualTo(200);
    switch (invalidation) {
      case DISABLED ->
          manage(
              "PATCH",
              "/keys/" + Authenticator.id(new Credential(key)).hex(),
              "{\"disabled\":true}");
      case EXPIRED -> api.ambient.advance(Duration.ofSeconds(10));
    }
    for (int i = 0; i < FREE_FAILURES; i++) {
      assertThat(ask(key, OFFICE).status()).isEqualTo(401);
    }
    List<Thread> held = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      held.add(api.ambient.start("program", () -> ask(key, OFFICE)));
    }
    awaitHeld(held.size());
    assertThat(ask("sk-app", OFFICE).status())
        .as("a key that this node has not seen")
        .isEqualTo(429);
    advanceMinuteAndJoin(held);
    api.ambient.advance(Duration.ofSeconds(10));
    assertThat(ask("sk-app", OFFICE).status()).as("70 s after the last failure").isEqualTo(200);
  }

  @Test
  @DisplayName("regains one free failure each second")
  void regained() throws InterruptedException {
    useUpFreeFailures(OFFICE);
    api.ambient.advance(Duration.ofSeconds(3));
    for (int i = 0; i < 3; i++) {
      assertThat(guess(OFFICE)).isEqualTo(401);
    }
    advanceMinuteAndJoin(startHeldGuesses(1));
    useUpFreeFailures(OFFICE);
  }

  @Test
  @DisplayName("is distinguished from others by its address, or by 64 bits of an IPv6 address")
  void others() throws InterruptedException {
    useUpFreeFailures(OFFICE);
    useUpFreeFailures(address("203.0.113.8"));
    useUpFreeFailures(address("2001:db8::1"));
    BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    Thread same =
        api.ambient.start("guesser", () -> answers.add(guess(address("2001:db8::ffff:2"))));
    awaitHeld(1);
    advanceMinuteAndJoin(List.of(same));
    assertThat(answers).containsExactly(401);
    assertThat(failureCounts().networks()).isEqualTo(3);
  }

  @Test
  @DisplayName("is not counted without an address, nor is a request without a credential")
  void uncounted() {
    for (int i = 0; i < 3 * FREE_FAILURES; i++) {
      assertThat(guess(null)).isEqualTo(401);
      assertThat(api.call("GET", "/key").from(OFFICE).send().status()).isEqualTo(401);
    }
    assertThat(failureCounts()).isEqualTo(FailedCredentialCounts.ZERO);
  }

  @Test
  @DisplayName(
      "gets sixteen times as many guesses by changing the network within a /48, and no more")
  void wider() throws InterruptedException {
    var failures = new FailedCredentials(api.ambient);
    var refusal = GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    for (int i = 0; i < 16 * FREE_FAILURES; i++) {
      ClientNetwork of = ClientNetwork.of(address("2001:db8:0:%x::1".formatted(i)));
      failures.recordFailure(of, refusal, new Cancellation());
    }
    ClientNetwork next = ClientNetwork.of(address("2001:db8:0:ffff::1"));
    Thread held =
        api.ambient.start(
            "guesser", () -> failures.recordFailure(next, refusal, new Cancellation()));
    awaitHeld(1);
    assertThat(failures.snapshot().waiting()).isEqualTo(1);
    failures.recordFailure(
        ClientNetwork.of(address("2001:db8:1::1")),
        refusal,
        new Cancellation()); // is not held back
    advanceMinuteAndJoin(List.of(held));
  }

  @Test
  @DisplayName("is no longer held back once it has disconnected")
  void disconnected() throws InterruptedException {
    var failures = new FailedCredentials(api.ambient);
    var refusal = GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    ClientNetwork office = ClientNetwork.of(OFFICE);
    for (int i = 0; i < FREE_FAILURES; i++) {
      failures.recordFailure(office, refusal, new Cancellation());
    }
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      others.add(
          api.ambient.start(
              "guesser", () -> failures.recordFailure(office, refusal, new Cancellation())));
      awaitHeld(i + 1);
    }
    var cancellation = new Cancellation();
    Thread held =
        api.ambient.start("guesser", () -> failures.recordFailure(office, refusal, cancellation));
    awaitHeld(9);
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    api.ambient.advance(Duration.ofSeconds(1)); // of the nine that it would wait
    assertThat(held.join(Duration.ofSeconds(10))).isTrue();
    awaitHeld(7); // the cancelled one and one whose turn it was have ended; seven sleep again
    advanceMinuteAndJoin(others);
  }

  @Test
  @DisplayName("from many addresses takes a bounded amount of memory")
  void bounded() {
    var failures = new FailedCredentials(api.ambient);
    var refusal = GatewayError.of(ErrorCode.AUTHENTICATION).toException();
    for (long i = 0; i < 60_000; i++) {
      failures.recordFailure(new ClientNetwork(true, i << 16), refusal, new Cancellation());
    }
    assertThat(failures.snapshot().networks()).isLessThanOrEqualTo(50_000);
    assertThat(failures.snapshot().failed()).isEqualTo(60_000);
  }
}
