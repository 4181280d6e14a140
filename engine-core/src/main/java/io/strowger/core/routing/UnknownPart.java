package io.strowger.core.routing;

import io.strowger.spi.json.JsonPointer;

/**
 * A part of a conversation whose type the engine does not know. It is passed on to endpoints of the
 * caller's own dialect, which may know it, and cannot be translated to any other. It holds no text
 * of the prompt.
 *
 * @param protocol the protocol of the endpoints that may know it, as {@link
 *     io.strowger.spi.catalog.ProviderInfo#protocol()}
 * @param pointer its position in the request body
 * @param type the type it declares; empty when that is not a plain word
 */
public record UnknownPart(String protocol, JsonPointer pointer, String type) {}
