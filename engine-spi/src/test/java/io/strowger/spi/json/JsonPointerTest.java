package io.strowger.spi.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A JSON pointer")
class JsonPointerTest {
  @Test
  @DisplayName("is written as in the examples of RFC 6901, section 5")
  void examples() {
    assertThat(JsonPointer.ROOT).hasToString("");
    assertThat(JsonPointer.ROOT.child("foo")).hasToString("/foo");
    assertThat(JsonPointer.ROOT.child("foo").child(0)).hasToString("/foo/0");
    assertThat(JsonPointer.ROOT.child("")).hasToString("/");
    assertThat(JsonPointer.ROOT.child("a/b")).hasToString("/a~1b");
    for (String plain : new String[] {"c%d", "e^f", "g|h", "i\\j", "k\"l", " "}) {
      assertThat(JsonPointer.ROOT.child(plain)).hasToString("/" + plain);
    }
    assertThat(JsonPointer.ROOT.child("m~n")).hasToString("/m~0n");
    assertThat(JsonPointer.ROOT.child("~1")).hasToString("/~01");
  }

  @Test
  @DisplayName("is equal to another that names the same place")
  void equality() {
    assertThat(JsonPointer.ROOT.child("a").child(1))
        .isEqualTo(JsonPointer.ROOT.child("a").child("1"))
        .hasSameHashCodeAs(JsonPointer.ROOT.child("a").child("1"))
        .isNotEqualTo(JsonPointer.ROOT.child("a"));
  }

  @Test
  @DisplayName("can be prefixed with the place of its document in a larger one")
  void under() {
    JsonPointer body = JsonPointer.ROOT.child("requests").child(2).child("body");
    assertThat(JsonPointer.ROOT.child("messages").child(0).prefixedWith(body))
        .hasToString("/requests/2/body/messages/0");
    assertThat(JsonPointer.ROOT.prefixedWith(body)).isEqualTo(body);
    assertThat(body.prefixedWith(JsonPointer.ROOT)).isEqualTo(body);
  }
}
