/**
 * The files of {@code host/container} and {@code host/systemd}, and what an operator does with
 * gateways that run: restart them one after the other, back them up, put the copy back.
 */
@NullMarked
package io.strowger.conformance.operations;

import org.jspecify.annotations.NullMarked;
