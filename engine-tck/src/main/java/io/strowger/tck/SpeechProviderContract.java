package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.AudioStream;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.SpeechCall;
import io.strowger.spi.provider.SpeechProvider;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.speech.SpeechRequest;
import io.strowger.spi.speech.SpeechTurn;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract test of {@link SpeechProvider}. The author of an adapter extends this class and
 * connects the adapter to a test upstream whose behaviour the tests control.
 *
 * <p>The tests run in real time. A cancellation has ten seconds to end a call, a hundred times the
 * limit of the SPI, since a shared machine may be slow; a call that never ends still fails.
 */
public abstract class SpeechProviderContract {
  private static final String SECRET = "sk-4f9d2c-never-to-be-seen";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String VOICE = "test-voice";

  /** A provider under test, and a test upstream that it is connected to. */
  public interface ProviderSetup extends AutoCloseable {
    /**
     * Returns the provider under test; always the same one. The tests close it before they close
     * this setup.
     */
    SpeechProvider provider();

    /** Returns an endpoint of the provider that has several voices. */
    Endpoint endpoint();

    /**
     * Returns an audio format that the upstream produces, one of {@link Endpoint#audioFormats()}.
     */
    String format();

    /**
     * Sets how the upstream behaves on every call from now on. With {@link
     * UpstreamBehaviour.Echoes} it answers with {@link #sound()} in several pieces. With {@link
     * UpstreamBehaviour.Cuts} and {@link UpstreamBehaviour.Stalls} it sends a part of a sound
     * first, unless their text is empty.
     */
    void behave(UpstreamBehaviour behaviour);

    /** Returns the bytes of a complete answer of the upstream. */
    byte[] sound();

    /** Returns the body of the last request, as the upstream received it. */
    String lastBody();

    /**
     * Waits until the upstream has received this many requests; returns false when the time ran out
     * first.
     */
    boolean awaitRequests(long count, Duration timeout) throws InterruptedException;

    /** Closes the test upstream. Called after the provider was closed. */
    @Override
    void close();
  }

  /**
   * Starts a new test upstream and connects a provider to it that uses this ambient for time,
   * random numbers and threads. Called once per test.
   */
  protected abstract ProviderSetup connect(TestAmbient ambient);

  private static SpeechRequest.Builder request(Json input) {
    Json.Obj members =
        Json.object().put("model", "acme/voice").put("input", input).put("voice", VOICE).build();
    return SpeechRequest.builder(members, ModelRef.parse("acme/voice"), VOICE);
  }

  private static SpeechRequest text() {
    return request(Json.of("two \"quoted\" words"))
        .text(new SpeechTurn("two \"quoted\" words", VOICE, null))
        .build();
  }

  /**
   * Returns a request whose input is an array of two turns. The contract calls the text of one
   * speaker a turn; that has nothing to do with the turns of a call.
   */
  private static SpeechRequest turns() {
    Json.Obj first = Json.object().put("text", "who is there").build();
    Json.Obj second = Json.object().put("text", "nobody").put("voice", "other-voice").build();
    return request(Json.array(first, second))
        .turns(
            List.of(
                new SpeechTurn("who is there", VOICE, null),
                new SpeechTurn("nobody", "other-voice", null)))
        .build();
  }

  @Test
  @DisplayName("reading an answer returns every byte of the upstream's audio in order, then -1")
  void whole() throws UpstreamException {
    try (var fixture = new Fixture()) {
      try (AudioStream sound = fixture.open(fixture.call(text()))) {
        assertThat(read(sound)).isEqualTo(fixture.setup.sound());
        assertThat(sound.read(new byte[8])).isEqualTo(-1);
        assertThat(sound.ready()).isTrue();
      }
    }
  }

  @Test
  @DisplayName("an answer may be read one byte at a time")
  void small() throws UpstreamException {
    try (var fixture = new Fixture();
        AudioStream sound = fixture.open(fixture.call(text()))) {
      byte[] all = fixture.setup.sound();
      var one = new byte[1];
      for (byte expected : all) {
        assertThat(sound.read(one)).isEqualTo(1);
        assertThat(one[0]).isEqualTo(expected);
      }
      assertThat(sound.read(one)).isEqualTo(-1);
    }
  }

  @Test
  @DisplayName(
      "the body has the text and the voice, but no credential and no catalog name of the model")
  void sent() throws UpstreamException {
    try (var fixture = new Fixture()) {
      fixture.open(fixture.call(text())).close();
      assertThat(fixture.setup.lastBody())
          .contains("two \\\"quoted\\\" words", VOICE)
          .doesNotContain(SECRET, "acme/voice");
    }
  }

  @Test
  @DisplayName("the text and the voice of every turn of the input are sent")
  void turnsSent() throws UpstreamException {
    try (var fixture = new Fixture()) {
      fixture.open(fixture.call(turns())).close();
      assertThat(fixture.setup.lastBody()).contains("who is there", "nobody", VOICE, "other-voice");
    }
  }

  @Test
  @DisplayName("options for the provider cannot replace the input, the model or the voice")
  void options() throws UpstreamException {
    try (var fixture = new Fixture()) {
      SpeechCall plain = fixture.call(text());
      Json.Obj options =
          Json.object()
              .put("input", "something else")
              .put("model", "some-other-model")
              .put("voice", "stolen-voice")
              .build();
      fixture
          .open(
              new SpeechCall(
                  plain.endpoint(),
                  plain.credential(),
                  plain.request(),
                  plain.format(),
                  options,
                  plain.losses(),
                  plain.readTimeout(),
                  plain.cancellation(),
                  null))
          .close();
      assertThat(fixture.setup.lastBody())
          .contains("quoted", VOICE)
          .doesNotContain("something else", "some-other-model", "stolen-voice");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 404, 408, 410, 429, 500, 502, 503, 504, 524, 529})
  @DisplayName("a refusal is classified by its status, which is kept, and shows no credential")
  void refusals(int status) {
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Refuses(status, 7, "no " + SECRET));
      Failure failure = fixture.failure();
      assertThat(failure.kind()).isEqualTo(FailureKind.ofStatus(status));
      assertThat(failure.status()).isEqualTo(status);
      assertThat(failure.message()).doesNotContain(SECRET);
    }
  }

  @Test
  @DisplayName("a connection cut before the sound, or in the middle of it, is a failure")
  void cut() {
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Cuts(""));
      assertThat(fixture.failure().kind()).isIn(FailureKind.UNAVAILABLE, FailureKind.PROTOCOL);
      fixture.setup.behave(new UpstreamBehaviour.Cuts("some"));
      assertThat(fixture.failure().kind()).isIn(FailureKind.UNAVAILABLE, FailureKind.PROTOCOL);
    }
  }

  @ParameterizedTest
  @EnumSource(Cancellation.Cause.class)
  @DisplayName(
      "a cancellation ends a call in progress and a later call, with the failure kind of its cause")
  void cancelled(Cancellation.Cause cause) throws InterruptedException {
    FailureKind kind = cause.isTimeout() ? FailureKind.TIMEOUT : FailureKind.CANCELLED;
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Silent());
      SpeechCall call = fixture.call(text());
      CompleteAnswerContract.PendingCall waiting = fixture.start(call);
      assertThat(fixture.setup.awaitRequests(1, TIMEOUT)).isTrue();
      call.cancellation().cancel(cause);
      assertThat(waiting.failure().kind()).isEqualTo(kind);
      assertThat(fixture.start(call).failure().kind()).isEqualTo(kind);
    }
  }

  @Test
  @DisplayName("cancelling ends a read that waits for more sound")
  void cancelledLater() throws InterruptedException {
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Stalls("some"));
      SpeechCall call = fixture.call(text());
      CompleteAnswerContract.PendingCall waiting = fixture.start(call);
      assertThat(fixture.setup.awaitRequests(1, TIMEOUT)).isTrue();
      call.cancellation().cancel(Cancellation.Cause.CALLER_GONE);
      assertThat(waiting.failure().kind()).isEqualTo(FailureKind.CANCELLED);
    }
  }

  @Test
  @DisplayName("closing the provider ends a call in progress")
  void closed() throws InterruptedException {
    try (var fixture = new Fixture()) {
      fixture.setup.behave(new UpstreamBehaviour.Silent());
      CompleteAnswerContract.PendingCall waiting = fixture.start(fixture.call(text()));
      assertThat(fixture.setup.awaitRequests(1, TIMEOUT)).isTrue();
      fixture.setup.provider().close();
      assertThat(waiting.failure().kind()).isEqualTo(FailureKind.CANCELLED);
    }
  }

  @Test
  @DisplayName("an answer may be closed before it was read, and twice")
  void closedEarly() throws UpstreamException {
    try (var fixture = new Fixture()) {
      AudioStream sound = fixture.open(fixture.call(text()));
      sound.close();
      sound.close();
    }
  }

  private static byte[] read(AudioStream sound) throws UpstreamException {
    var all = new ByteArrayOutputStream();
    var buffer = new byte[100];
    for (int read = sound.read(buffer); read >= 0; read = sound.read(buffer)) {
      assertThat(read).isBetween(1, buffer.length);
      all.write(buffer, 0, read);
    }
    return all.toByteArray();
  }

  private final class Fixture implements AutoCloseable {
    private final TestAmbient ambient = TestAmbient.realTime();
    private final ProviderSetup setup = connect(ambient);

    SpeechCall call(SpeechRequest request) {
      return new SpeechCall(
          setup.endpoint(),
          new Credential(SECRET),
          request,
          setup.format(),
          Json.Obj.EMPTY,
          loss -> {},
          Duration.ofSeconds(30),
          new Cancellation(),
          null);
    }

    AudioStream open(SpeechCall call) throws UpstreamException {
      return setup.provider().open(call);
    }

    private void readAll(SpeechCall call) throws UpstreamException {
      try (AudioStream sound = open(call)) {
        read(sound);
      }
    }

    Failure failure() {
      CompleteAnswerContract.FailingCall failing = () -> readAll(call(text()));
      return failing.failure();
    }

    CompleteAnswerContract.PendingCall start(SpeechCall call) {
      return CompleteAnswerContract.PendingCall.start(ambient, () -> readAll(call));
    }

    @Override
    public void close() {
      setup.provider().close();
      setup.close();
      ambient.assertNoThreadsLeft();
    }
  }
}
