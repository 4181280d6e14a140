package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatWith;
import static io.strowger.core.dialect.chat.ChatRequestBodies.decode;
import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The limits on a chat body")
class LimitsTest {

  private String letters(int chars) {
    return "n".repeat(chars);
  }

  @Proves({"chat.session_id", "limit.session_id", "chat.member.session_id"})
  @Test
  @DisplayName("bound session_id at 256 characters, however many bytes they have")
  void session() {
    assertThat(decode(chatWith("'session_id':'" + letters(256) + "'")).sessionId()).hasSize(256);
    assertThat(problems(chatWith("'session_id':'" + "€".repeat(256) + "'"))).isEmpty();
    assertThat(problems(chatWith("'session_id':'" + "\uD83D\uDE00".repeat(256) + "'"))).isEmpty();
    assertThat(problems(chatWith("'session_id':'" + letters(257) + "'")))
        .containsExactly(
            "/session_id: must be a string of at most 256 characters, was \""
                + letters(40)
                + "...\"");
  }

  @Proves({"chat.metadata", "limit.metadata", "chat.member.metadata"})
  @Test
  @DisplayName("bound metadata at 16 pairs, with keys of 64 and values of 512 characters")
  void metadata() {
    assertThat(problems(chatWith("'metadata':{" + pairs(16) + "}"))).isEmpty();
    assertThat(problems(chatWith("'metadata':{" + pairs(17) + "}")))
        .containsExactly("/metadata: must have at most 16 pairs, was 17");
    assertThat(problems(chatWith("'metadata':{'" + letters(64) + "':'" + letters(512) + "'}")))
        .isEmpty();
    assertThat(problems(chatWith("'metadata':{'" + letters(65) + "':'x'}")))
        .singleElement()
        .asString()
        .startsWith("/metadata: must have keys of at most 64 characters");
    assertThat(problems(chatWith("'metadata':{'k':'" + letters(513) + "'}")))
        .singleElement()
        .asString()
        .startsWith("/metadata/k: must be a string of at most 512 characters");
    assertThat(problems(chatWith("'metadata':{'k':1}"))).hasSize(1);
  }

  private String pairs(int count) {
    var pairs = new StringBuilder("'k0':'v'");
    for (int i = 1; i < count; i++) {
      pairs.append(",'k").append(i).append("':'v'");
    }
    return pairs.toString();
  }

  @Proves("chat.tool.response_format")
  @Test
  @DisplayName("bound the name of a JSON schema at 64 characters")
  void schemaName() {
    String format = "'response_format':{'type':'json_schema','json_schema':{'name':'%s'}}";
    assertThat(problems(chatWith(format.formatted(letters(64))))).isEmpty();
    assertThat(problems(chatWith(format.formatted(letters(65))))).hasSize(1);
    assertThat(problems(chatWith(format.formatted("")))).hasSize(1);
  }

  @Test
  @DisplayName("bound a preset's name at 100 characters, and match no pattern against a longer one")
  void preset() {
    assertThat(problems(chatWith("'preset':'" + letters(100) + "'"))).isEmpty();
    assertThat(problems(chatWith("'preset':'" + letters(101) + "'"))).hasSize(1);
    assertThat(problems(chatWith("'preset':'" + "a-".repeat(1_000_000) + "a'"))).hasSize(1);
  }

  @Proves("chat.member.user")
  @Test
  @DisplayName("do not bound user, which is only shortened on export")
  void user() {
    assertThat(decode(chatWith("'user':'" + letters(2_000) + "'")).user()).hasSize(2_000);
  }

  @Proves({"chat.stop", "limit.stop", "chat.member.stop"})
  @Test
  @DisplayName("bound the stop sequences at 4")
  void stops() {
    assertThat(problems(chatWith("'stop':['','b','c','d']"))).isEmpty();
    assertThat(problems(chatWith("'stop':['','b','c','d','e']")))
        .containsExactly("/stop: must have at most 4 items, was an array of 5");
  }

  @Proves({"chat.messages", "limit.messages"})
  @Test
  @DisplayName("demand at least 1 message")
  void messages() {
    assertThat(problems(json("{'messages':[]}")))
        .containsExactly("/messages: must have at least 1 item, was an array of 0");
  }
}
