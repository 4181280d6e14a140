/**
 * Admission control: how many requests and how many bytes of their bodies are worked on at a time,
 * who waits for a place, and who is refused. Start reading at {@link
 * io.strowger.core.overload.AdmissionControl}; the places at each endpoint are handed out by {@link
 * io.strowger.core.overload.EndpointLimiter}.
 */
@NullMarked
package io.strowger.core.overload;

import org.jspecify.annotations.NullMarked;
