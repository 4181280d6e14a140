package io.strowger.core.dialect.chat;

import static io.strowger.core.dialect.chat.ChatRequestBodies.chatOf;
import static io.strowger.core.dialect.chat.ChatRequestBodies.decode;
import static io.strowger.core.dialect.chat.ChatRequestBodies.json;
import static io.strowger.core.dialect.chat.ChatRequestBodies.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Part;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A content part in a chat message")
class ChatPartRulesTest {
  private static Part part(String json) {
    return decode(chatOf("{'role':'user','content':[" + json + "]}"))
        .messages()
        .get(0)
        .parts()
        .get(0);
  }

  @Proves({"chat.message.part.text", "chat.message.part.image_url", "chat.message.part.file"})
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'text','text':''}",
        "{'type':'text','text':'x','prompt_cache_breakpoint':null,'x':1}",
        "{'type':'text','text':'x','cache_control':{'type':'ephemeral','ttl':'1h'}}",
        "{'type':'image_url','image_url':{'url':'data:image/png;base64,AA','detail':'original'}}",
        "{'type':'image_url','image_url':{'url':'data:,x','x':1},'cache_control':1}",
        "{'type':'input_audio','input_audio':{'data':'AA','format':'anything','x':null}}",
        "{'type':'file','file':{}}",
        "{'type':'file','file':{'file_id':'f','x':1}}",
      })
  @DisplayName("may be")
  void accepted(String json) {
    assertThat(problems(chatOf("{'role':'user','content':[" + json + "]}"))).isEmpty();
  }

  @Proves({
    "chat.message.part.text",
    "chat.message.part.image_url",
    "chat.message.part.input_audio",
    "chat.message.part.video_url",
    "chat.message.part.input_video",
    "chat.message.part.file"
  })
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
"""
null | : must be an object, was null
{'type':null} | /type: must be one of text, image_url, input_audio, video_url, input_video, file, was null
{'type':'Text','text':'x'} | /type: must be one of text, image_url, input_audio, video_url, input_video, file, was "Text"
{'type':'text','text':null} | /text: must be a string, was null
{'type':'text','text':'x','cache_control':null} | /cache_control: must be an object, was null
{'type':'text','text':'x','cache_control':{'type':'ephemeral','ttl':null}} | /cache_control/ttl: must be one of 5m, 1h, was null
{'type':'text','text':'x','prompt_cache_breakpoint':{}} | /prompt_cache_breakpoint/mode: is required
{'type':'text','text':'x','prompt_cache_breakpoint':{'mode':'x'}} | /prompt_cache_breakpoint/mode: must be explicit, was "x"
{'type':'image_url','image_url':'u'} | /image_url: must be an object, was "u"
{'type':'image_url','image_url':{'url':1}} | /image_url/url: must be a string, was 1
{'type':'image_url','image_url':{'url':'https://u','detail':null}} | /image_url/detail: must be one of auto, low, high, original, was null
{'type':'input_audio'} | /input_audio: is required
{'type':'input_audio','input_audio':{'format':'wav'}} | /input_audio/data: is required
{'type':'input_audio','input_audio':{'data':1,'format':'wav'}} | /input_audio/data: must be a string, was 1
{'type':'input_audio','input_audio':{'data':'','format':1}} | /input_audio/format: must be a string, was 1
{'type':'video_url'} | /video_url: is required
{'type':'video_url','video_url':{}} | /video_url/url: is required
{'type':'input_video','input_video':{'url':'https://u'}} | /video_url: is required
{'type':'input_video','video_url':{'url':1}} | /video_url/url: must be a string, was 1
{'type':'file'} | /file: is required
{'type':'file','file':null} | /file: must be an object, was null
{'type':'file','file':{'filename':null}} | /file/filename: must be a string, was null
{'type':'file','file':{'file_data':1}} | /file/file_data: must be a string, was 1
""")
  @DisplayName("may not be")
  void refused(String json, String problem) {
    assertThat(
            problems(chatOf("{'role':'user','content':[{'type':'text','text':'x'}," + json + "]}")))
        .containsExactly("/messages/0/content/1" + problem);
  }

  @Proves({
    "chat.message.part.input_audio",
    "chat.message.part.input_video",
    "chat.message.part.file"
  })
  @Test
  @DisplayName("of audio, video or a file holds its typed fields and its other members")
  void typed() {
    var audio =
        (Part.Audio)
            part("{'type':'input_audio','input_audio':{'data':'AA','format':'wav','x':1},'y':2}");
    assertThat(audio.data().text() + audio.format()).isEqualTo("AAwav");
    assertThat(audio.extras()).isEqualTo(json("{'input_audio':{'x':1},'y':2}"));
    var video = (Part.Video) part("{'type':'input_video','video_url':{'url':'https://u','x':1}}");
    assertThat(video.url().text()).isEqualTo("https://u");
    assertThat(video.extras()).isEqualTo(json("{'video_url':{'x':1}}"));
    var file = (Part.File) part("{'type':'file','file':{'filename':'f','x':1},'y':2}");
    assertThat(file.file()).isEqualTo(json("{'filename':'f','x':1}"));
    assertThat(file.extras()).isEqualTo(json("{'y':2}"));
    assertThat(file.source()).isNotNull();
  }
}
