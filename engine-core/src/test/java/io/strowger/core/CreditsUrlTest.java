package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.House.Answer;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who has not enough credits")
class CreditsUrlTest {
  private static Answer ask(String config) {
    try (var house = new House(config)) {
      String body =
          "{'model':'acme/small','max_tokens':16,'messages':[{'role':'user','content':'hi'}]}";
      return house.send(House.APP, "POST", "/chat/completions", body);
    }
  }

  @Proves("error.402")
  @Test
  @DisplayName("is told where to get more, in the words of the contract, and what would fit")
  void address() {
    Answer poor = ask("'credits':'0.012','money':{'credits_url':'https://pay.test/more?for=me'}");
    assertThat(poor.status()).isEqualTo(402);
    assertThat(poor.message())
        .matches(
            "Insufficient credits\\. Add more using https://pay\\.test/more\\?for=me\\. This"
                + " request needs \\$0\\.0\\d+ and \\$0\\.012 is left; at most \\d+ output tokens"
                + " would fit");
  }

  @Proves("error.402")
  @Test
  @DisplayName("is told no address where there is none")
  void none() {
    Answer poor = ask("'credits':'0.012'");
    assertThat(poor.status()).isEqualTo(402);
    assertThat(poor.message())
        .matches(
            "Insufficient credits: this request needs \\$0\\.0\\d+ and \\$0\\.012 is left; .*");
  }
}
