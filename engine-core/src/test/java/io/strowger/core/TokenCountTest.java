package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.EdgeGateway.Heard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("POST /messages/count_tokens")
class TokenCountTest {
  private final EdgeGateway edge = new EdgeGateway("");

  @AfterEach
  void close() {
    edge.close();
  }

  private Heard count(String members) {
    return edge.ask("/messages/count_tokens", "{'model':'acme/large'," + members + "}").send();
  }

  private static String said(String text) {
    return "'messages':[{'role':'user','content':'" + text + "'}]";
  }

  @Test
  @DisplayName("answers in the vendor's form, marked as an estimate, and asks no provider")
  void estimate() {
    Heard few = count(said("Hello"));
    assertThat(few.status()).as(few.text()).isEqualTo(200);
    assertThat(few.json().longValue("input_tokens", 0)).isBetween(4L, 12L);
    assertThat(few.text()).contains("\"estimate\":true");
    assertThat(edge.calls()).isEmpty();
    assertThat(edge.records).isEmpty();
  }

  @Test
  @DisplayName("grows with text, instructions, tools and pictures")
  void grows() {
    long plain = count(said("Hello")).json().longValue("input_tokens", 0);
    assertThat(count(said("Hello".repeat(100))).json().longValue("input_tokens", 0))
        .isBetween(plain + 100, plain + 160);
    for (String more :
        new String[] {
          "'system':'Be brief and kind.'," + said("Hello"),
          "'tools':[{'name':'f','input_schema':{'type':'object'}}]," + said("Hello"),
          "'messages':[{'role':'user','content':[{'type':'text','text':'Hello'},{'type':'image',"
              + "'source':{'type':'url','url':'https://a.example/b.png'}}]}]"
        }) {
      assertThat(count(more).json().longValue("input_tokens", 0)).as(more).isGreaterThan(plain);
    }
  }

  @Test
  @DisplayName("holds a body to the rules of /messages, in its envelope, with either key header")
  void refused() {
    Heard wrong = count("'messages':[]");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().text("type")).isEqualTo("error");
    assertThat(wrong.text()).contains("/messages: must have at least 1 item", "\"code\":400");
    Heard unknown =
        edge.ask("/messages/count_tokens", "{'model':'acme/none'," + said("x") + "}").send();
    assertThat(unknown.status()).isEqualTo(400);
    Heard nobody =
        edge.ask("/messages/count_tokens/", "{'model':'acme/large'," + said("x") + "}")
            .key("wrong")
            .send();
    assertThat(nobody.status()).isEqualTo(401);
    assertThat(nobody.text()).contains("authentication_error");
  }
}
