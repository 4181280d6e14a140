package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.TestServer.Answer;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request that the credits do not cover")
class CreditsUrlTest {
  private static Answer ask(String config) {
    try (var server = new TestServer(config)) {
      String body =
          "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':'hi'}]}";
      return server.send(TestServer.APP, "POST", "/chat/completions", body);
    }
  }

  @Proves("error.402")
  @Test
  @DisplayName("is refused with the configured address for credits and the output that would fit")
  void address() {
    Answer refused =
        ask("'credits':'0.012','money':{'credits_url':'https://pay.test/more?for=me'}");
    assertThat(refused.status()).isEqualTo(402);
    assertThat(refused.message())
        .matches(
            "Insufficient credits\\. Add more using https://pay\\.test/more\\?for=me\\. This"
                + " request needs \\$0\\.0\\d+ and \\$0\\.012 is left; at most \\d+ output tokens"
                + " would fit");
  }

  @Proves("error.402")
  @Test
  @DisplayName("is refused without an address if none is configured")
  void none() {
    Answer refused = ask("'credits':'0.012'");
    assertThat(refused.status()).isEqualTo(402);
    assertThat(refused.message())
        .matches(
            "Insufficient credits: this request needs \\$0\\.0\\d+ and \\$0\\.012 is left; .*");
  }
}
