package io.strowger.providers.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The usage of an answer")
class ChatUsageReaderTest {
  private static Usage usage(String text) {
    return ChatUsageReader.of(ChatFixtures.json("{" + text + "}"));
  }

  @Proves("translation.usage.chat")
  @Test
  @DisplayName("counts every token once, although the dialect's totals include their parts")
  void disjoint() {
    Usage usage =
        usage(
            "'prompt_tokens':100,'completion_tokens':50,'total_tokens':150,"
                + "'prompt_tokens_details':{'cached_tokens':60,'cache_write_tokens':20,"
                + "'audio_tokens':5},'completion_tokens_details':{'reasoning_tokens':30,"
                + "'audio_tokens':8}");
    assertThat(usage.cacheRead()).isEqualTo(60);
    assertThat(usage.cacheWrite5m()).isEqualTo(20);
    assertThat(usage.inputAudio()).isEqualTo(5);
    assertThat(usage.freshInput()).isEqualTo(15);
    assertThat(usage.reasoning()).isEqualTo(30);
    assertThat(usage.outputAudio()).isEqualTo(8);
    assertThat(usage.outputText()).isEqualTo(12);
    assertThat(usage.promptTokens()).isEqualTo(100);
    assertThat(usage.completionTokens()).isEqualTo(50);
  }

  @Test
  @DisplayName("limits parts to their total, and counts negative numbers as zero")
  void inconsistent() {
    Usage usage =
        usage(
            "'prompt_tokens':10,'completion_tokens':-5,'prompt_tokens_details':"
                + "{'cached_tokens':11,'cache_write_tokens':7,'audio_tokens':-1},"
                + "'completion_tokens_details':{'reasoning_tokens':3}");
    assertThat(usage.cacheRead()).isEqualTo(10);
    assertThat(usage.promptTokens()).isEqualTo(10);
    assertThat(usage.completionTokens()).isZero();
  }

  @Test
  @DisplayName("includes reasoning that an upstream counts outside of the completion")
  void outsideCompletion() {
    Usage usage =
        usage(
            "'prompt_tokens':10,'completion_tokens':5,'total_tokens':45,"
                + "'completion_tokens_details':{'reasoning_tokens':30}");
    assertThat(usage.reasoning()).isEqualTo(30);
    assertThat(usage.outputText()).isEqualTo(5);
    assertThat(usage.completionTokens()).isEqualTo(35);
  }

  @Test
  @DisplayName("derives missing prompt tokens from the total")
  void total() {
    assertThat(usage("'completion_tokens':5,'total_tokens':45").promptTokens()).isEqualTo(40);
  }

  @Test
  @DisplayName("tolerates nulls, wrong types and numbers out of range")
  void nonsense() {
    assertThat(usage("").promptTokens()).isZero();
    Usage usage =
        usage(
            "'prompt_tokens':9223372036854775807,'completion_tokens':'x',"
                + "'prompt_tokens_details':null,'completion_tokens_details':[]");
    assertThat(usage.promptTokens()).isPositive();
    assertThat(usage.completionTokens()).isZero();
    assertThat(usage("'server_tool_use':{'web_search_requests':2}").searches()).isEqualTo(2);
  }
}
