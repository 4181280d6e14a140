package io.strowger.providers.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The usage of a messages stream")
class MessagesUsageReaderTest {
  private static Json.Obj parsed(String json) throws MalformedJsonException {
    byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return (Json.Obj) new JacksonCodec().parse(bytes);
  }

  @Test
  @DisplayName("keeps the latest of each count and nothing else")
  void latest() throws MalformedJsonException {
    Json.Obj usage = Json.Obj.EMPTY;
    for (int i = 0; i < 1_000; i++) {
      String report =
          "{'k%d':1,'input_tokens':7,'output_tokens':%d,'cache_creation':{'ephemeral_1h_input_tokens':3,'k%d':[1]},"
              + "'server_tool_use':{'web_search_requests':2},'output_tokens_details':{'thinking_tokens':1},"
              + "'cache_read_input_tokens':null,'iterations':[{'type':'message','k':1},{'type':'compaction','k%d':1,'input_tokens':5}]}";
      usage = MessagesUsageReader.merge(usage, parsed(report.formatted(i, i, i, i)));
    }
    assertThat(usage.writtenLength()).as("bytes kept").isLessThan(600);
    assertThat(MessagesUsageReader.of(usage))
        .isEqualTo(
            MessagesUsageReader.of(
                parsed(
                    "{'input_tokens':7,'output_tokens':999,'cache_creation':{'ephemeral_1h_input_tokens':3},"
                        + "'server_tool_use':{'web_search_requests':2},'output_tokens_details':{'thinking_tokens':1},"
                        + "'iterations':[{'type':'compaction','input_tokens':5}]}")));
  }
}
