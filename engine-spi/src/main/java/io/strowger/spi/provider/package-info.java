/**
 * The SPI for authors of provider adapters. Start reading at {@link
 * io.strowger.spi.provider.ChatProvider}.
 *
 * <p><b>An adapter</b> speaks the protocol of an upstream:
 *
 * <ul>
 *   <li>what it implements: {@link io.strowger.spi.provider.ProviderFactory}, {@link
 *       io.strowger.spi.provider.ChatProvider}, {@link
 *       io.strowger.spi.provider.EmbeddingsProvider}, {@link
 *       io.strowger.spi.provider.SpeechProvider}, {@link io.strowger.spi.provider.UnaryProvider}.
 *   <li>what it is given: {@link io.strowger.spi.provider.ProviderSettings}, {@link
 *       io.strowger.spi.provider.Call}, {@link io.strowger.spi.provider.EmbeddingsCall}, {@link
 *       io.strowger.spi.provider.SpeechCall}, {@link io.strowger.spi.provider.UnaryCall}, {@link
 *       io.strowger.spi.provider.Credential}, {@link io.strowger.spi.provider.Cancellation}, {@link
 *       io.strowger.spi.provider.Transport}, {@link io.strowger.spi.provider.TransportFactory},
 *       {@link io.strowger.spi.provider.Transports}, {@link io.strowger.spi.provider.JsonCodec},
 *       {@link io.strowger.spi.ambient.Ambient}, {@link io.strowger.spi.ambient.FairShare}.
 *   <li>a request: {@link io.strowger.spi.model.InferenceRequest}, {@link
 *       io.strowger.spi.model.Message}, {@link io.strowger.spi.model.Part}, {@link
 *       io.strowger.spi.model.Media}, {@link io.strowger.spi.model.Arguments}, {@link
 *       io.strowger.spi.model.Tool}, {@link io.strowger.spi.model.Dialect}, {@link
 *       io.strowger.spi.catalog.Endpoint}.
 *   <li>its parameters: {@link io.strowger.spi.catalog.Parameter}, {@link
 *       io.strowger.spi.model.GenerationParameters}, {@link io.strowger.spi.model.ToolChoice},
 *       {@link io.strowger.spi.model.OutputFormat}, {@link io.strowger.spi.model.ReasoningOptions},
 *       {@link io.strowger.spi.model.Effort}.
 *   <li>a request for embeddings or speech: {@link io.strowger.spi.model.EmbeddingsRequest}, {@link
 *       io.strowger.spi.model.EmbeddingsInput}, {@link io.strowger.spi.speech.SpeechRequest},
 *       {@link io.strowger.spi.speech.SpeechTurn}, {@link io.strowger.spi.speech.SpeechFormat},
 *       {@link io.strowger.spi.speech.SpeechReferences}, {@link
 *       io.strowger.spi.speech.SpeechPreferences}.
 *   <li>a request for ranks, images or a transcription: {@link io.strowger.spi.model.UnaryRequest},
 *       {@link io.strowger.spi.model.RerankRequest}, {@link io.strowger.spi.model.ImagesRequest},
 *       {@link io.strowger.spi.model.TranscriptionRequest}, {@link
 *       io.strowger.spi.model.UploadedFile}.
 *   <li>an answer: {@link io.strowger.spi.provider.EventStream}, {@link
 *       io.strowger.spi.model.Event}, {@link io.strowger.spi.model.FrameTemplate}, {@link
 *       io.strowger.spi.model.Answer}, {@link io.strowger.spi.model.StopReason}, {@link
 *       io.strowger.spi.model.Usage}, {@link io.strowger.spi.provider.EmbeddingsAnswer}, {@link
 *       io.strowger.spi.provider.AudioStream}, {@link io.strowger.spi.provider.UnaryAnswer}.
 *   <li>failures and losses: {@link io.strowger.spi.provider.UpstreamException}, {@link
 *       io.strowger.spi.error.Failure}, {@link io.strowger.spi.error.FailureKind}, {@link
 *       io.strowger.spi.routing.Loss}.
 *   <li>JSON: {@link io.strowger.spi.json.Json}, {@link io.strowger.spi.json.JsonOutput}, {@link
 *       io.strowger.spi.json.JsonSource}.
 * </ul>
 */
@NullMarked
package io.strowger.spi.provider;

import org.jspecify.annotations.NullMarked;
