/** Larger bodies are refused unread (0.3 §10.2). */
export const bodyLimit = 1024 * 1024;
