/**
 * The SPI for authors of routers, interceptors and server tools. Start reading at {@link
 * io.strowger.spi.plugin.PluginProvider}.
 *
 * <p><b>A router</b> chooses models or endpoints:
 *
 * <ul>
 *   <li>its description and configuration: {@link io.strowger.spi.plugin.PluginProvider}, {@link
 *       io.strowger.spi.plugin.Descriptor}, {@link io.strowger.spi.plugin.ConfigSchema}, {@link
 *       io.strowger.spi.plugin.Field}, {@link io.strowger.spi.plugin.Fields}, {@link
 *       io.strowger.spi.plugin.PluginConfig}, {@link io.strowger.spi.plugin.Plugin}.
 *   <li>its decision: {@link io.strowger.spi.plugin.RouterPlugin}, {@link
 *       io.strowger.spi.plugin.Candidates}, {@link io.strowger.spi.plugin.Candidate}, {@link
 *       io.strowger.spi.plugin.UsableEndpoint}, {@link io.strowger.spi.plugin.ModelSet}, {@link
 *       io.strowger.spi.plugin.Selection}, {@link io.strowger.spi.plugin.PerCatalog}.
 *   <li>the catalog it decides over: {@link io.strowger.spi.catalog.Catalog}, {@link
 *       io.strowger.spi.catalog.ModelInfo}, {@link io.strowger.spi.catalog.Endpoint}, {@link
 *       io.strowger.spi.catalog.ProviderInfo}, {@link io.strowger.spi.catalog.Parameter}, {@link
 *       io.strowger.spi.catalog.Modality}, {@link io.strowger.spi.catalog.Quantization}, {@link
 *       io.strowger.spi.catalog.Pricing}, {@link io.strowger.spi.catalog.Price}, {@link
 *       io.strowger.spi.catalog.UnitPrice}.
 *   <li>its facts and refusals: {@link io.strowger.spi.model.InferenceRequest}, {@link
 *       io.strowger.spi.json.Json}, {@link io.strowger.spi.error.ErrorCode}.
 * </ul>
 *
 * <p><b>An interceptor or a server tool</b> acts on requests and answers. It has the description
 * and configuration of a router, and:
 *
 * <ul>
 *   <li>what it implements: {@link io.strowger.spi.plugin.Interceptor}, {@link
 *       io.strowger.spi.plugin.ServerTool}, {@link io.strowger.spi.plugin.TextClassifier}, {@link
 *       io.strowger.spi.plugin.SchemaValidator}.
 *   <li>a request: {@link io.strowger.spi.model.InferenceRequest}, {@link
 *       io.strowger.spi.model.Message}, {@link io.strowger.spi.model.Part}, {@link
 *       io.strowger.spi.model.Media}, {@link io.strowger.spi.model.Arguments}, {@link
 *       io.strowger.spi.model.Tool}, {@link io.strowger.spi.model.ToolChoice}, {@link
 *       io.strowger.spi.model.PluginEntry}, {@link io.strowger.spi.routing.ModelRef}, {@link
 *       io.strowger.spi.model.RequestOrigin}, {@link io.strowger.spi.model.TextEditor}, {@link
 *       io.strowger.spi.model.TextKind}.
 *   <li>the caller's preferences: {@link io.strowger.spi.routing.ProviderPreferences}, {@link
 *       io.strowger.spi.routing.ProviderSort}, {@link io.strowger.spi.routing.PriceCaps}, {@link
 *       io.strowger.spi.routing.PercentilePreferences}.
 *   <li>an answer: {@link io.strowger.spi.provider.EventStream}, {@link
 *       io.strowger.spi.model.Event}, {@link io.strowger.spi.model.FrameTemplate}, {@link
 *       io.strowger.spi.model.Answer}, {@link io.strowger.spi.model.AnswerCollector}, {@link
 *       io.strowger.spi.model.StopReason}, {@link io.strowger.spi.model.Usage}.
 *   <li>calls, money and time of its own: {@link io.strowger.spi.plugin.InnerCall}, {@link
 *       io.strowger.spi.store.Hold}, {@link io.strowger.spi.catalog.Usd}, {@link
 *       io.strowger.spi.provider.Cancellation}, {@link io.strowger.spi.provider.Transport}, {@link
 *       io.strowger.spi.ambient.FairShare}.
 *   <li>JSON: {@link io.strowger.spi.json.Json}, {@link io.strowger.spi.provider.JsonCodec}, {@link
 *       io.strowger.spi.json.JsonPointer}, {@link io.strowger.spi.json.JsonOutput}.
 *   <li>errors and the trace: {@link io.strowger.spi.error.GatewayException}, {@link
 *       io.strowger.spi.error.GatewayError}, {@link io.strowger.spi.error.ErrorCode}, {@link
 *       io.strowger.spi.error.Problem}, {@link io.strowger.spi.error.ShortText}, {@link
 *       io.strowger.spi.routing.TraceEntry}.
 * </ul>
 */
@NullMarked
package io.strowger.spi.plugin;

import org.jspecify.annotations.NullMarked;
