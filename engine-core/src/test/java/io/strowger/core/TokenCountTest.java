package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ScriptedServer.TestResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("POST /messages/count_tokens")
class TokenCountTest {
  private final ScriptedServer server = new ScriptedServer("");

  @AfterEach
  void close() {
    server.close();
  }

  private TestResponse count(String members) {
    return server.post("/messages/count_tokens", "{'model':'acme/large'," + members + "}").send();
  }

  private static String messages(String text) {
    return "'messages':[{'role':'user','content':'" + text + "'}]";
  }

  @Test
  @DisplayName("answers in the vendor's format, marked as an estimate, without an upstream call")
  void estimate() {
    TestResponse response = count(messages("Hello"));
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    assertThat(response.json().longValue("input_tokens", 0)).isBetween(4L, 12L);
    assertThat(response.text()).contains("\"estimate\":true");
    assertThat(server.calls()).isEmpty();
    assertThat(server.records).isEmpty();
  }

  @Test
  @DisplayName("counts more tokens for more text, instructions, tools and images")
  void grows() {
    long plain = count(messages("Hello")).json().longValue("input_tokens", 0);
    assertThat(count(messages("Hello".repeat(100))).json().longValue("input_tokens", 0))
        .isBetween(plain + 100, plain + 160);
    for (String more :
        new String[] {
          "'system':'Be brief and kind.'," + messages("Hello"),
          "'tools':[{'name':'f','input_schema':{'type':'object'}}]," + messages("Hello"),
          "'messages':[{'role':'user','content':[{'type':'text','text':'Hello'},{'type':'image',"
              + "'source':{'type':'url','url':'https://a.example/b.png'}}]}]"
        }) {
      assertThat(count(more).json().longValue("input_tokens", 0)).as(more).isGreaterThan(plain);
    }
  }

  @Test
  @DisplayName("refuses a wrong body, an unknown model and a wrong key in the format of /messages")
  void refused() {
    TestResponse wrong = count("'messages':[]");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().text("type")).isEqualTo("error");
    assertThat(wrong.text()).contains("/messages: must have at least 1 item", "\"code\":400");
    TestResponse unknown =
        server.post("/messages/count_tokens", "{'model':'acme/none'," + messages("x") + "}").send();
    assertThat(unknown.status()).isEqualTo(400);
    TestResponse unauthenticated =
        server
            .post("/messages/count_tokens/", "{'model':'acme/large'," + messages("x") + "}")
            .key("wrong")
            .send();
    assertThat(unauthenticated.status()).isEqualTo(401);
    assertThat(unauthenticated.text()).contains("authentication_error");
  }
}
