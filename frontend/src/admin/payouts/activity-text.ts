/** Square's word for an activity (`RESERVE_HOLD`) as people write it: `Reserve hold`. */
export function activityText(activity: string): string {
  if (activity === 'CHARGE') return 'Payment';
  const words = activity.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
