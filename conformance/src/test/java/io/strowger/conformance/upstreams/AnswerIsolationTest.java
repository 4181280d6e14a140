package io.strowger.conformance.upstreams;

import static io.strowger.conformance.upstreams.HostileUpstreamGateway.FIRST_KEY;
import static io.strowger.conformance.upstreams.HostileUpstreamGateway.SECOND_KEY;
import static io.strowger.conformance.upstreams.HostileUpstreamGateway.answer;
import static io.strowger.conformance.upstreams.HostileUpstreamGateway.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.tck.RawUpstream;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An answer")
class AnswerIsolationTest {
  private static final int TIMES = 6;
  private static final Pattern MODEL = Pattern.compile("\"model\":\"([^\"]+)\"");
  private static final Pattern CREDENTIAL = Pattern.compile("secret-of-[a-z-]+");

  /** The credentials that were used on each connection, by its number. */
  private final Map<Integer, Set<String>> credentialsByConnection = new ConcurrentHashMap<>();

  /** Returns an upstream that answers with the model and credential, and then sends more bytes. */
  private RawUpstream.Handler answeringThen(String more) {
    return connection -> {
      while (true) {
        String head = connection.readHead();
        String credential = found(CREDENTIAL, head.toLowerCase(Locale.ROOT), 0);
        String model = found(MODEL, connection.readBody(head), 1);
        credentialsByConnection
            .computeIfAbsent(connection.number(), number -> ConcurrentHashMap.newKeySet())
            .add(credential);
        String answer = model + " with " + credential;
        connection.write(response(answer(answer)) + more.replace("RIGHT", "stolen from " + model));
      }
    };
  }

  private static String found(Pattern pattern, String text, int group) throws IOException {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IOException("nothing matches " + pattern);
    }
    return matcher.group(group);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SECOND",
        "surplus bytes",
        "HTTP/1.1 103 Early Hints\r\n\r\n",
        "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200"
      })
  @DisplayName("reaches the request it belongs to, whatever its upstream sends after it:")
  void own(String surplus) throws IOException {
    String more = surplus.equals("SECOND") ? response(answer("RIGHT")) : surplus;
    try (var hostile = new HostileUpstreamGateway(AnswerMemory.ofHeap(), answeringThen(more))) {
      for (int i = 0; i < TIMES; i++) {
        boolean even = i % 2 == 0;
        String model = even ? "openai-chat-one" : "openai-chat-one-or-good";
        var reply = hostile.ask(even ? FIRST_KEY : SECOND_KEY, model, false);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body())
            .contains("\"" + model + " with secret-of-openai-chat-one\"")
            .doesNotContain("stolen");
      }
    }
  }

  @Test
  @DisplayName(
      "comes over a connection of only its provider and credential, even at a shared address")
  void shared() throws IOException {
    try (var polite = new HostileUpstreamGateway(AnswerMemory.ofHeap(), answeringThen(""))) {
      for (int i = 0; i < TIMES; i++) {
        String model = i % 2 == 0 ? "openai-chat-one" : "openai-chat-two";
        assertThat(polite.ask(FIRST_KEY, model, false).body())
            .contains(model + " with secret-of-" + model);
      }
      assertThat(polite.connections()).isEqualTo(2);
      assertThat(credentialsByConnection.values())
          .allSatisfy(credentials -> assertThat(credentials).hasSize(1));
    }
  }
}
