package io.strowger.providers.speech;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.tck.SpeechProviderContract;
import io.strowger.tck.TestAmbient;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The adapter for speech in the OpenAI form")
class OpenAiSpeechContractTest extends SpeechProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new SpeechLoopback(ambient, OpenAiChatFactory::new, "mp3");
  }
}
